"""A setting as the words of a link: "#flows=2&buffer_packets=5&lost_1=3.7", the same in JupyterLab and on the page.

The words are the number of flows, the controls by their names, and packets that are lost or spared. What a link leaves
out is as the page begins. A setting that the controls cannot say is one word: its scenario, as JSON.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from simcore import ScenarioError, mapping_of, scenario_from
from workbook.explore import kinds
from workbook.explore import setting as st
from workbook.explore.catalogue import catalogue
from workbook.explore.controls import ALL_SLIDERS, KIND, names, read_of, turn, write_of
from workbook.explore.further import CHOICES, ORDER, SWITCHES
from workbook.explore.futures import FIELDS
from workbook.explore.panel import MOST_FLOWS
from workbook.explore.setting import OWN_NAME, Setting

BEGIN: Final = "Two TCP flows: Baseline"  # the case that the page begins with
SCENARIO: Final = "scenario"
# Of a link of the page: what is looked at there, and the story that is told, which are left out here.
SEEN: Final = ("than", "view", "at", "packet", "story", "step", "bet")
PACKETS: Final = re.compile(r"[1-9][0-9]{0,8}(\.[1-9][0-9]{0,8})*")


@cache
def base_of(flows: int) -> Setting:
    """What a link leaves out: the page's beginning, with so many flows that are all like its own."""
    like = catalogue()[BEGIN]
    few = st.with_kinds(like, (st.kinds(like) * flows)[:flows])
    return scenario_from(few).to_mapping()  # each flow with its defaults: rows of flows that are alike look alike


def values_of(setting: Setting) -> dict[str, Any]:
    """The words of a setting's link and their values; a script writes them (js/address.js)."""
    if len(setting["flows"]) <= MOST_FLOWS:
        values = _said(setting)
        if _is_whole(values, setting):
            return values
    return {SCENARIO: json.dumps(setting, separators=(",", ":"))}


def setting_of(words: Mapping[str, str]) -> Setting:
    """The setting of a link's words. Raises ScenarioError."""
    if words.keys() == {SCENARIO}:
        return scenario_from({"name": OWN_NAME} | mapping_of(Path("scenario.json"), words[SCENARIO])).to_mapping()
    flows = _flows(words)
    _refuse_unknown(words, flows)
    setting = base_of(flows)
    for name in sorted(names(flows), key=turn):
        if name in words:
            setting = write_of(name)(setting, _value(name, words[name]))
    listed = [{**flow, **_fates(words, number)} for number, flow in enumerate(setting["flows"], start=1)]
    return scenario_from({**setting, "flows": listed, "name": OWN_NAME}).to_mapping()


def is_same(one: Setting, other: Setting) -> bool:
    """Is the same simulated? Names don't count."""
    return {**one, "name": ""} == {**other, "name": ""}


def _said(setting: Setting) -> dict[str, Any]:
    """What the controls show; of the second level what is not as usual."""
    flows = len(setting["flows"])
    shown = {name: read_of(name, setting) for name in names(flows)}
    usual = {name: read_of(name, base_of(flows)) for name in ORDER}
    told = {name: value for name, value in shown.items() if value is not None and value != usual.get(name)}
    packets = {
        f"{fate}_{number}": flow[field]
        for number, flow in enumerate(setting["flows"], start=1)
        for fate, field in FIELDS.items()
        if flow.get(field)
    }
    return {"flows": flows, **told, **packets}


def _is_whole(values: Mapping[str, Any], setting: Setting) -> bool:
    """Would the link give the setting back? Not if it has what no control shows, or is beyond what one may say."""
    try:
        return is_same(setting_of({name: _text(value) for name, value in values.items()}), setting)
    except ScenarioError:
        return False


def _flows(words: Mapping[str, str]) -> int:
    allowed = {str(count): count for count in range(1, MOST_FLOWS + 1)}
    return int(_one_of("flows", words.get("flows", "(missing)"), allowed))


def _refuse_unknown(words: Mapping[str, str], flows: int) -> None:
    fates = [f"{fate}_{number}" for number in range(1, flows + 1) for fate in FIELDS]
    known = ["flows", *names(flows), *fates]
    for name in words:
        if name not in (*known, *SEEN):
            raise ScenarioError(f"{name}: no such control; allowed: {', '.join(known)}")


def _value(name: str, text: str) -> Any:
    return _number(name, text) if name in ALL_SLIDERS else _one_of(name, text, _offered(name))


def _offered(name: str) -> Mapping[str, Any]:
    """What a control that is no slider offers, by what a link calls it."""
    if name in SWITCHES:
        return {"false": False, "true": True}
    if name in CHOICES:
        return {value: value for value in CHOICES[name].texts}
    listed = {"profile": st.PROFILE_NAMES, "queue": st.QUEUE_NAMES}
    return {value: value for value in (kinds.offered() if name.startswith(KIND) else listed[name])}


def _one_of(name: str, text: str, allowed: Mapping[str, Any]) -> Any:
    if text not in allowed:
        raise ScenarioError(f"{name}: {text} is not allowed; allowed: {', '.join(allowed)}")
    return allowed[text]


def _number(name: str, text: str) -> float:
    """A slider's number, in its bounds."""
    slider = ALL_SLIDERS[name]
    most = slider.high + slider.step  # a case of a chapter ends half a second beyond its slider
    try:
        value = int(text) if slider.whole else float(text)
    except ValueError:
        value = float("nan")
    if not slider.low <= value <= most:
        raise ScenarioError(f"{name}: {text} is not allowed; allowed: {slider.low:g} to {most:g} {slider.unit}")
    return value


def _fates(words: Mapping[str, str], number: int) -> dict[str, list[int]]:
    """The packets of a flow that are lost or spared."""
    found = {}
    for fate, field in FIELDS.items():
        text = words.get(name := f"{fate}_{number}")
        if text is None:
            continue
        if not PACKETS.fullmatch(text):
            raise ScenarioError(f"{name}: {text} is not allowed: packets count from 1, with a point between two")
        found[field] = [int(packet) for packet in text.split(".")]
    return found


def _text(value: Any) -> str:
    """As a link writes it."""
    if isinstance(value, list):
        return ".".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
