"""`python -m workbook.ledger`: judge everything anew; renew the README's scores and the scorecard in figures/."""

from workbook.book.front import renew_scores
from workbook.ledger import draw_scorecard, scorecard
from workbook.paths import REPO

if __name__ == "__main__":
    card = scorecard()
    draw_scorecard(card, REPO.figures)
    renew_scores(card, REPO)
