"""`make lab` and `make app`: this process becomes the server, so that Ctrl-C stops it."""

import os
import sys

from workbook.paths import REPO
from workbook.studio import servers

os.chdir(REPO.root)
if sys.argv[1:] == ["app"]:
    port = servers.free_port(servers.PORT)
    print(f"In a few seconds the explorer is at http://{servers.HOST}:{port}\nCtrl-C here stops it.", flush=True)
    command = servers.app(port)
else:
    command = servers.lab()
os.execve(command[0], command, servers.environment())
