"""From a file to plain values: numbers as people write them, and no file that hangs or fills the memory."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from simcore import ScenarioError, load_mapping
from simcore.scenario import text
from simcore.scenario.text import NEVER, yaml_text, yaml_value


@pytest.mark.parametrize(
    ("written", "value"),
    [("1e3", 1000.0), ("1.5e3", 1500.0), ("1E-3", 0.001), ("-.5", -0.5), ("1.", 1.0), (".inf", float("inf"))],
)
def test_a_number_may_be_written_with_an_exponent_and_without_a_point(written: str, value: float) -> None:
    read = yaml_value(written)
    assert isinstance(read, float)
    assert read == value


@pytest.mark.parametrize("written", ["12", "+12", "-3", "1_000", "0x1F", "010", "0", "1.5", "true", "yes", "~", "08"])
def test_what_was_read_before_is_read_as_before(written: str) -> None:
    assert yaml_value(written) == yaml.safe_load(written)
    assert type(yaml_value(written)) is type(yaml.safe_load(written))


@pytest.mark.parametrize("written", ["190:20:30", "1:30", "1e", "e3", "_1"])
def test_nothing_else_is_a_number(written: str) -> None:
    assert yaml_value(written) == written


def nested_aliases(levels: int, inner: str = "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]") -> str:
    lines = [f"a0: &a0 {inner}"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines)


def test_aliases_may_repeat_what_is_small() -> None:
    assert yaml_value(nested_aliases(4))["a3"][9][9][9][9] == 1


def test_aliases_within_aliases_are_refused_before_anything_is_built() -> None:
    with pytest.raises(yaml.YAMLError, match="aliases within aliases"):
        yaml_value(nested_aliases(30))


def test_so_are_merges_within_merges() -> None:
    lines = ["a0: &a0 {k0: 1}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}], k{n}: 1}}" for n in range(1, 30)]
    with pytest.raises(yaml.YAMLError, match="aliases within aliases"):
        yaml_value("\n".join(lines))


def test_the_bound_lies_between_what_is_allowed_and_one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MOST_NODES", 4)
    assert yaml_value("[1, 2, 3]") == [1, 2, 3]
    with pytest.raises(yaml.YAMLError, match="at most 4"):
        yaml_value("[1, 2, 3, 4]")


def test_depth_is_bounded_and_a_document_that_contains_itself_is_refused() -> None:
    assert yaml_value("[" * text.DEEPEST + "]" * text.DEEPEST)
    with pytest.raises(yaml.YAMLError, match="too deeply"):
        yaml_value("[" * (text.DEEPEST + 1) + "]" * (text.DEEPEST + 1))
    with pytest.raises(yaml.YAMLError, match="contains itself"):
        yaml_value("&a {b: *a}")


@pytest.mark.parametrize(("ending", "content"), [(".json", r'{"name": "\ud800"}'), (".yaml", r'name: "\ud800"')])
def test_half_of_a_surrogate_pair_is_refused(tmp_path: Path, ending: str, content: str) -> None:
    path = tmp_path / f"bad{ending}"
    path.write_text(content)
    with pytest.raises(ScenarioError, match="not readable as"):
        load_mapping(path)


def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(ScenarioError, match="too large"):
        load_mapping(Path("/dev/zero"))


FIELDS = st.from_regex(r"[a-z][a-z_]{0,30}", fullmatch=True)  # the two write other keys in other ways
VALUES = st.text(max_size=200) | st.integers() | st.floats(allow_nan=False) | st.booleans()


@given(st.dictionaries(FIELDS, VALUES | st.lists(VALUES, max_size=3), max_size=5))
def test_both_emitters_write_the_same_text_which_says_the_same(value: dict[str, object]) -> None:
    class Slow(yaml.SafeDumper):
        yaml_implicit_resolvers = text._Dumper.yaml_implicit_resolvers

    written = yaml_text(value)
    assert written == yaml.dump(value, Dumper=Slow, sort_keys=False, width=NEVER)
    assert yaml_value(written) == value


@pytest.mark.parametrize("name", ["1e3", "-2E5", "1:30", "0x1f", "12", "1.5", "yes", "~"])
def test_a_text_that_looks_like_a_number_comes_back_as_a_text(name: str) -> None:
    assert yaml_value(yaml_text({"name": name})) == {"name": name}


def test_the_text_of_a_long_name_is_one_line() -> None:
    assert yaml_text({"name": "word " * 40 + "end", "seed": 1}).splitlines()[1] == "seed: 1"
