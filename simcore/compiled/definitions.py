"""The source of a function as a tree, and which of its names stand for one value."""

import ast
import inspect
from collections import Counter
from functools import cache
from itertools import chain
from types import CodeType, FunctionType

from simcore.compiled.values import NotCompilableError


def definition_of(function: FunctionType) -> ast.FunctionDef:
    """The source of a function, if it is what Python runs: a file may have been edited since it was read."""
    codes, definitions = _functions_in("".join(inspect.findsource(function)[0]))
    found = definitions.get((function.__name__, function.__code__.co_firstlineno))
    if found is None or function.__code__ not in codes:
        raise NotCompilableError(f"{function.__name__} is no plain function, or was edited since Python read it")
    return found


@cache
def _functions_in(text: str) -> tuple[set[CodeType], dict[tuple[str, int], ast.FunctionDef]]:
    """The functions of a file: as Python runs them, and their sources by name and first line."""
    module = ast.parse(text)
    codes, inside = set[CodeType](), [compile(module, "", "exec", dont_inherit=True)]
    while inside:
        code = inside.pop()
        codes.add(code)
        inside += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    definitions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    return codes, {(node.name, node.lineno): node for node in definitions}


def given_once(definition: ast.FunctionDef) -> set[str]:
    """The names that stand for one value wherever they are used, and need no place in memory.

    They are the arguments that don't change, and what is said once, neither in a branch nor in a loop.
    """
    arguments = [argument.arg for argument in definition.args.args]
    outermost = [node for node in definition.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    everywhere = Counter([*arguments, *_names_given(definition)])
    return {name for name in (*arguments, *chain.from_iterable(map(_names_given, outermost))) if everywhere[name] == 1}


def _names_given(tree: ast.AST) -> list[str]:
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
