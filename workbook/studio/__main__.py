"""`make lab` and `make app`: this process becomes the server, so that Ctrl-C stops it."""

import os
import sys

from workbook.paths import REPO
from workbook.studio import servers

os.chdir(REPO.root)
if sys.argv[1:] == ["app"]:
    print(f"Open http://127.0.0.1:{servers.PORT} in a browser. Ctrl-C here stops it.", flush=True)
    command = servers.app()
else:
    command = servers.lab()
os.execve(command[0], command, servers.environment())
