from tests.sheets import quickly

__all__ = ["quickly"]
