"""`python -m workbook.ledger`: judge everything anew; renew the README's scores and the scorecard in figures/."""

import re

from workbook.ledger import draw_scorecard, scorecard
from workbook.paths import REPO

README = REPO.root / "README.md"
BLOCK = re.compile(r"(?<=<!-- scorecard -->\n).*(?=\n<!-- /scorecard -->)", re.DOTALL)

if __name__ == "__main__":
    card = scorecard()
    draw_scorecard(card, REPO.figures)
    README.write_text(BLOCK.sub(lambda _: card.to_markdown(), README.read_text("utf-8")), "utf-8")
