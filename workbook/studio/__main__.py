"""`make lab` and `make app`: this process becomes the server, so that Ctrl-C stops it. A port may follow `app`."""

import os
import sys

from workbook.paths import REPO
from workbook.studio import servers

os.chdir(REPO.root)
environment = servers.environment()
if sys.argv[1:2] == ["app"]:
    port, token = servers.free_port(int(sys.argv[2]) if sys.argv[2:] else servers.PORT), servers.new_token()
    address = f"http://{servers.HOST}:{port}/?token={token}"
    print(f"In a few seconds the explorer is at {address}\nCtrl-C here stops it.", flush=True)
    environment["JUPYTER_TOKEN"] = token
    servers.limit_memory()
    command = servers.app(port)
else:
    command = servers.lab()
os.execve(command[0], command, environment)
