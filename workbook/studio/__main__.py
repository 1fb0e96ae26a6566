"""`make lab`: this process becomes the server, so that Ctrl-C stops it."""

import os

from workbook.paths import REPO
from workbook.studio import servers

os.chdir(REPO.root)
command = servers.lab()
os.execve(command[0], command, servers.environment())
