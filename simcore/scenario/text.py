"""From a file to plain values, bounded so that no file makes the workbook hang or fill the memory; and back to YAML."""

import json
import re
from pathlib import Path
from typing import Any, Final

import yaml

MOST_BYTES: Final = 64 << 20  # of a file: half a million flows, or three million times of a replay
MOST_NODES: Final = 5_000_000  # of a document with its aliases written out
DEEPEST: Final = 50  # a scenario needs 5


class FileTooLargeError(ValueError):
    """A file that is larger than `MOST_BYTES`, or that has no end, such as /dev/zero."""


def file_text(path: Path) -> str:
    """The text of a file in UTF-8. Raises OSError, UnicodeDecodeError or FileTooLargeError."""
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise FileTooLargeError(f"the file is too large; must have at most {MOST_BYTES} bytes")
    return content.decode("utf-8")


def json_value(text: str) -> Any:
    """What a JSON document says; a key given twice is an error. Raises ValueError or RecursionError."""
    value = json.loads(text, object_pairs_hook=_object_with_unique_keys)
    if "\\u" in text:
        json.dumps(value, ensure_ascii=False).encode()  # UnicodeEncodeError for half of a surrogate pair
    return value


def yaml_value(text: str) -> Any:
    """What a YAML document says, as `yaml.safe_load` reads it but for what a person would not expect.

    - A key given twice is an error instead of a silent last-wins.
    - Numbers with an exponent need no point (`1e3`), and `190:20:30` is no number in base 60: YAML 1.2, section 10.3.
    - Aliases within aliases may stand for at most `MOST_NODES` values: 900 bytes can stand for more than any memory
      holds.

    Raises yaml.YAMLError, ValueError or RecursionError.
    """
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _size(node, 1, {})
        return loader.construct_document(node)
    finally:
        loader.dispose()


def yaml_text(value: Any) -> str:
    """A YAML document that says this, in the order of its keys.

    libyaml and PyYAML's own emitter write the same text if no line is folded; libyaml is ten times as quick.
    """
    return str(yaml.dump(value, Dumper=_Dumper, sort_keys=False, width=NEVER))


NEVER: Final = 1 << 30  # characters of a line before it is folded
_SafeDumper: Final[Any] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Dumper(_SafeDumper):  # type: ignore[misc]  # one of two classes
    """Quotes a text that `yaml_value` would take for a number, `1e3`, beside those that YAML 1.1 does."""


# libyaml's parser where PyYAML was built with it: ten times as quick, which the ledger's long files need.
_SafeLoader: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_SafeLoader):  # type: ignore[misc]  # one of two classes
    """The rules of `yaml_value`."""


def _mapping_with_unique_keys(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen = set()
    for key, _ in node.value:  # as written, before a `<<` brings keys in, which may be given again
        name = (key.tag, str(key.value))
        if name in seen:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key.value!r} is given twice", key.start_mark)
        seen.add(name)
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping_with_unique_keys)

_INTEGER = re.compile(r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*)$")
_REAL = re.compile(
    r"[-+]?(?:(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*[eE][-+]?[0-9]+|\.(?:inf|Inf|INF))$"
    r"|\.(?:nan|NaN|NAN)$"
)
_TAG = "tag:yaml.org,2002:"
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in (f"{_TAG}int", f"{_TAG}float")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _class in (_Loader, _Dumper):
    _class.add_implicit_resolver(f"{_TAG}int", _INTEGER, list("-+0123456789"))
    _class.add_implicit_resolver(f"{_TAG}float", _REAL, list("-+0123456789."))


def _size(node: yaml.Node, depth: int, known: dict[yaml.Node, int]) -> int:
    """The nodes that a node stands for, aliases written out.

    Raises yaml.YAMLError for too many, too deep or endless ones.
    """
    if node in known:
        if not known[node]:
            raise yaml.YAMLError("the document contains itself")
        return known[node]
    if depth > DEEPEST:
        raise yaml.YAMLError(f"nested too deeply; must be at most {DEEPEST} levels")
    known[node] = 0  # being counted
    total = 1
    for child in _children(node):
        total += _size(child, depth + 1, known)
    if total > MOST_NODES:
        raise yaml.YAMLError(f"aliases within aliases stand for too much; must be at most {MOST_NODES} values")
    known[node] = total
    return total


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    if isinstance(node, yaml.SequenceNode):
        return list(node.value)
    node.value.encode()  # UnicodeEncodeError for half of a surrogate pair
    return []


def _object_with_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            raise ValueError(f"the key {name!r} is given twice")
        seen.add(name)
    return dict(pairs)
