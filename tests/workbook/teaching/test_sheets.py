"""The lab sheets: solutions are right for every student, nothing comes of nothing, a mistake costs what it should."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from tests.sheets import SHEETS, answered, play, points, sheet, untouched
from workbook.teaching.sheet import why

pytestmark = pytest.mark.usefixtures("quickly")

TEN = [f"s{1234567 + 1111 * number}" for number in range(10)]
OF_TEN = [pytest.param(student, marks=[] if student in TEN[:2] else pytest.mark.exhaustive) for student in TEN]
Names = dict[str, Any]


def window_limits_first_the_rate_then_the_delay(names: Names) -> bool:
    smallest, *_, largest = names["mine"].given["windows"]
    few, exact, many = names["buffer_latency_ms"]
    grows = names["throughput_kbps"][largest] > 3 * names["throughput_kbps"][smallest]
    return bool(grows and names["latency_ms"][largest] > 1.2 * names["latency_ms"][smallest] and few < exact == many)


def one_timeout_then_a_saw_tooth(names: Names) -> bool:
    got, timeouts, lost = names["received"], names["counts"]["timeout"], names["lost"]
    return bool(timeouts == 1 and got["tahoe"] < got["reno"] < got["sack"] and lost["last tooth"] == 1)


def distance_costs_more_than_in_proportion(names: Names) -> bool:
    fairness = names["fairness"]
    return bool(names["bias"]["alpha"] > 1 and fairness["droptail"] < fairness["red"] < fairness["drr"])


def one_character_decides(names: Names) -> bool:
    starved, waits = min(names["tcp_percent"].values()) < 10, names["udp_latency_ms"]
    equal = names["equal"]
    return bool(equal["published"] and not equal["repaired"] and starved and waits["shared"] > 2 * waits["alone"])


def phases_matter_more_than_seeds(names: Names) -> bool:
    ahead = [share > 50 for share in names["share_by_delay"]]
    changes = sum(before != after for before, after in pairwise(ahead))
    wider = names["over_phases"]["half_width"] > names["half_width"]
    return bool(changes >= 2 and names["largest_step"] > 20 and wider)


def boldness_does_not_pay(names: Names) -> bool:
    why = names["why"]
    return bool(max(names["share"].values()) < 40 and why["timeouts"] > 10 and why["alone_percent"] < 90)


def the_buffer_decides(names: Names) -> bool:
    short, *_, long = names["BUFFERS"]
    shares, waiting, met = names["bbr_share"], names["waiting_packets"], names["against_bbr"]
    falls = shares[short] > 70 and shares[long] < 40 and names["ahead"][short] == "bbr"
    fair = all(35 < share < 70 for share in names["model_percent"].values())
    return bool(falls and fair and waiting["bbr"] < 0.5 * waiting["cubic"] and met["short"] < 25 < met["long"])


LESSONS: dict[str, Callable[[Names], bool]] = {
    "1-window": window_limits_first_the_rate_then_the_delay,
    "2-trace": one_timeout_then_a_saw_tooth,
    "3-fairness": distance_costs_more_than_in_proportion,
    "4-tcp-udp": one_character_decides,
    "5-experiment": phases_matter_more_than_seeds,
    "6-controller": boldness_does_not_pay,
    "7-internet": the_buffer_decides,
}


def test_there_are_seven_sheets_of_twenty_points() -> None:
    assert list(LESSONS) == SHEETS
    assert {name: sum(points(sheet(name)).values()) for name in SHEETS} == dict.fromkeys(SHEETS, 20)


@pytest.mark.parametrize("name", SHEETS)
def test_every_key_says_why(name: str) -> None:
    keyed = [cell for cell in sheet(name) if "### BEGIN HIDDEN TESTS" in cell.source]
    assert len(keyed) >= 7
    assert [cell.name for cell in keyed if not why(cell.source).endswith(".")] == []


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("student", OF_TEN)
def test_the_solutions_earn_all_points_for_ten_students_and_each_variant_has_its_lesson(
    name: str, student: str
) -> None:
    played = play(sheet(name), student)
    assert played.lost == {}
    assert LESSONS[name](played.names)


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("student", ["", TEN[0]], ids=["without an id", "with an id"])
def test_an_untouched_sheet_earns_nothing(name: str, student: str) -> None:
    cells = sheet(name)
    assert play(untouched(cells), student).lost == points(cells)


ONE_WAY = """
packet_ms = 8 * (flow["packet_bytes"] + 40) / link["rate_mbps"] / 1000
pipe_packets = link["delay_ms"] / packet_ms
"""
ANOTHER_PROFILE = """
runs = {"published": mine.scenario(), "repaired": mine.scenario({"profile": "ns-2.35"})}
tcp_kbps = {name: float(metrics.throughput_kbps(simulate(run))[0]) for name, run in runs.items()}
"""
NORMAL = """
values = [reno_percent({"seed": seed}) for seed in range(1, 11)]
half_width = 1.96 * np.std(values, ddof=1) / np.sqrt(10)
"""
POPULATION = """
values = np.array([reno_percent({"seed": seed}) for seed in range(1, 11)])
ten = {"mean": values.mean(), "sd": values.std()}
"""
CUT_TWICE = """
def bold_grows(tcp, own, now):
    tcp.cwnd += GROW / tcp.cwnd
    tcp.cause = CONGESTION_AVOIDANCE


def bold_gives_way(tcp, own, now):
    standard.loss_detected(tcp, own, now)
    tcp.cwnd = max(KEEP * tcp.cwnd, 1.0)
    tcp.ssthresh = max(tcp.cwnd, 2.0)
"""


HALVED = """
def own_grows(tcp, own, now):
    tcp.cwnd += 3 * (1 - KEEP) / (1 + KEEP) / tcp.cwnd
    tcp.cause = CONGESTION_AVOIDANCE


def own_gives_way(tcp, own, now):
    standard.loss_detected(tcp, own, now)
"""


# Slower where windows are small, and a packet too many kept at some of the losses: nearly right.
NEARLY = """
def own_grows(tcp, own, now):
    tcp.cwnd += 3 * (1 - KEEP) / (1 + KEEP) / max(tcp.cwnd, 20)
    tcp.cause = CONGESTION_AVOIDANCE


def own_gives_way(tcp, own, now):
    tcp.cwnd = max(KEEP * tcp.cwnd + 0.5, 1.0)
    tcp.ssthresh = max(tcp.cwnd, 2.0)
"""


@pytest.mark.parametrize(
    ("name", "question", "answer", "lost"),
    [
        pytest.param("1-window", "pipe", ONE_WAY, {"pipe-check": 3}, id="one way for the round trip"),
        pytest.param("4-tcp-udp", "repaired", ANOTHER_PROFILE, {"repaired-check": 3}, id="two changes at once"),
        pytest.param("5-experiment", "interval", NORMAL, {"interval-check": 3}, id="1.96 for ten runs"),
        pytest.param("5-experiment", "ten", POPULATION, {"ten-sd": 2}, id="n for n - 1"),
        pytest.param("6-controller", "bold", CUT_TWICE, {"bold-keeps": 2}, id="the half cut again"),
        pytest.param("7-internet", "own", HALVED, {"own-keeps": 2}, id="a half for KEEP"),
        pytest.param("7-internet", "own", NEARLY, {"own-grows": 2, "own-keeps": 2}, id="nearly right"),
    ],
)
def test_a_misconception_loses_exactly_its_points(
    name: str, question: str, answer: str, lost: dict[str, float]
) -> None:
    cells = [cell for cell in sheet(name) if "internet.live(" not in cell.source]  # no points there
    for student in TEN[:2]:
        assert play(answered(cells, question, answer), student).lost == lost


@pytest.mark.parametrize("name", SHEETS)
def test_an_answer_that_fails_costs_its_own_points_alone(name: str) -> None:
    """The graded cells of an answer carry its name. In labs 6 and 7 a controller of one's own runs the other races."""
    cells = sheet(name)
    for answer in (cell.name for cell in cells if cell.is_answer and cell.name not in ("bold", "own")):
        own = {graded: worth for graded, worth in points(cells).items() if graded.startswith(f"{answer}-")}
        assert own
        assert play(answered(cells, answer, "raise RuntimeError('a slip')"), TEN[0]).lost == own


@pytest.mark.parametrize("name", SHEETS)
def test_a_graded_cell_needs_nothing_but_the_answer(name: str) -> None:
    """It imports and draws anew what it needs, whatever a student has called `metrics`."""
    cells = sheet(name)
    [tools] = (cell.source for cell in cells if cell.name == "tools")
    broken = "metrics = simulate = check = mine = variant_of = trials = None"
    hostile = [cell._replace(source=f"{broken}\n{cell.source}\n{tools}") if cell.points else cell for cell in cells]
    assert play(hostile, TEN[0]).lost == {}
