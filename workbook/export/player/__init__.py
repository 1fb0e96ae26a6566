"""The player: one HTML page that shows packets on their way, without any other file, for any browser.

scene    a span of a run, and what is under way in it
page     the page's text
player   the page of a run
"""

from workbook.export.player.player import ROUTERS, Host, Point, player_page, transmission_s
from workbook.export.player.scene import Journeys, Scene, journeys, picture_of

__all__ = ["ROUTERS", "Host", "Journeys", "Point", "Scene", "journeys", "picture_of", "player_page", "transmission_s"]
