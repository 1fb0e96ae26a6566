"""What a source prints, for chapters that compare with it."""

from pathlib import Path

from workbook.ledger.book import load_book


def printed(claims: Path) -> dict[str, str]:
    """Every number that the source prints, as it prints it, by the claim's id without the source's key."""
    found = {claim.id.partition(".")[2]: getattr(claim, "said", None) for claim in load_book(claims).claims}
    return {name: said for name, said in found.items() if said}
