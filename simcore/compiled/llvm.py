"""Is LLVM here, in a version that the compiled engine is known to work with?

The engine uses what llvmlite documents: `llvmlite.ir` to write a module, `llvmlite.binding` to compile and load it.
"""

from typing import Final

from simcore.extras import how_to_get

OLDEST: Final = (0, 46)  # 0.45 writes pointers that its own LLVM refuses to read
BEYOND: Final = (0, 51)  # the first version that was not tried; pyproject.toml has the same bounds


def llvm_problem() -> str | None:
    """What keeps LLVM from being used, in words for a person; None if nothing does."""
    allowed = "llvmlite >={}.{},<{}.{}".format(*OLDEST, *BEYOND)
    try:
        import llvmlite.binding
    except ImportError as error:
        return f"{allowed} is needed, and it cannot be loaded ({error}): {how_to_get('compiled')}"
    except OSError as error:  # the package is there, its library is not or is damaged
        return f"{allowed} is needed, and it cannot be loaded ({error})"
    found: str = llvmlite.__version__
    major, minor = found.split(".")[:2]
    return None if OLDEST <= (int(major), int(minor)) < BEYOND else f"{allowed} is needed, and there is {found}"
