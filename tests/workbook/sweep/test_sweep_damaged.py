"""A store on a disk that forgets: what was damaged is found, said, and simulated again to the same bytes."""

import shutil
from pathlib import Path

import pytest

from tests.sweeps import BUFFER, files, one_thread, sweep, write

STORE = Path("build/sweeps/mine.zarr")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a sweep and its store, to be copied."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("workbook.sweep.running.processes", one_thread)
        write(vary={"buffer": BUFFER}, replications=2)
        assert sweep().exit_code == 0
    return folder


@pytest.fixture(autouse=True)
def _a_finished_sweep(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("workbook.sweep.running.processes", one_thread)


def chunk(name: str) -> Path:
    """The first chunk of an array."""
    return sorted(path for path in (STORE / name / "c").rglob("*") if path.is_file())[0]


def flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def test_a_store_that_is_whole_says_so_and_is_left_alone() -> None:
    before = files(STORE)
    done = sweep("--verify")
    assert done.exit_code == 0
    assert "6 of 6 cells are there, each as it was written" in done.stdout
    assert "6 cells: all of them were there already" in sweep().stdout
    assert files(STORE) == before


@pytest.mark.parametrize("name", ["dropped", "loss_percent", "seed", "simulated"])
@pytest.mark.parametrize("damage", [flip_a_bit, Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_damaged_chunk_is_found_and_made_again(name: str, damage: object) -> None:
    before = files(STORE)
    assert callable(damage)
    damage(chunk(name))
    is_unknown = name == "simulated" and damage is Path.unlink  # then the batch counts as never written
    looked = sweep("--verify")
    assert looked.exit_code == (0 if is_unknown else 1)
    assert ("5 of 6 cells are there" if is_unknown else "1 cells are damaged") in looked.output
    repaired = sweep()
    assert "6 cells: 1 simulated" in repaired.stdout
    assert ("damaged and simulated again" in repaired.stderr) == (not is_unknown)
    assert files(STORE) == before


def test_an_array_that_is_gone_is_said_by_name() -> None:
    shutil.rmtree(STORE / "dropped")
    done = sweep()
    assert done.exit_code == 2
    assert "mine.zarr: dropped/zarr.json is gone; remove it or choose another" in done.stderr


def test_coordinates_that_changed_are_refused() -> None:
    flip_a_bit(chunk("buffer"))
    done = sweep("--verify")
    assert done.exit_code == 2
    assert "mine.zarr: buffer/c/0 is not as it was written; remove it" in done.stderr


@pytest.mark.parametrize("name", ["zarr.json", "dropped/zarr.json"])
@pytest.mark.parametrize("damage", [flip_a_bit, lambda path: path.write_text("{}"), lambda path: path.write_text("[]")])
def test_metadata_that_someone_else_wrote_are_refused(name: str, damage: object) -> None:
    assert callable(damage)
    damage(STORE / name)
    done = sweep("--verify")
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: build/sweeps/mine.zarr: ")
    assert done.stderr.count("\n") == 1


def test_verifying_what_is_not_there_makes_nothing() -> None:
    shutil.rmtree(STORE)
    done = sweep("--verify")
    assert done.exit_code == 2
    assert "nothing to verify" in done.stderr
    assert not STORE.exists()


def test_what_a_killed_process_left_while_making_a_store_is_removed() -> None:
    shutil.rmtree(STORE)
    killed, alive = STORE.with_name(".mine.zarr.4194305.tmp"), STORE.with_name(".mine.zarr.1.tmp")
    for leftover in (killed, alive):
        leftover.mkdir()
    assert sweep().exit_code == 0
    assert not killed.exists()
    assert alive.exists()
