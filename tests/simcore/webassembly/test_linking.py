"""An object becomes a module: what it exports, what is left out, what is refused."""

import pytest
import wasmtime

from simcore.webassembly.linking import MAGIC, module_of

# (func (export "two") (param i64) (result i64) (i64.add (local.get 0) (i64.const 2))), as an object has it
TYPES = b"\1\6\1\x60\1\x7e\1\x7e"
FUNCTIONS = b"\3\2\1\0"
CODE = b"\x0a\x09\1\7\0\x20\0\x42\2\x7c\x0b"
SYMBOL = b"\0\0\0\3two"  # a function, no flags, index 0
LINKING = b"\0\x13\7linking\2\x08\x08\1" + SYMBOL
OBJECT = MAGIC + TYPES + FUNCTIONS + CODE + LINKING


def test_the_function_can_be_called() -> None:
    engine = wasmtime.Engine()
    module, store = wasmtime.Module(engine, module_of(OBJECT, "two")), wasmtime.Store(engine)
    function = wasmtime.Instance(store, module, []).exports(store)["two"]
    assert isinstance(function, wasmtime.Func)
    assert function(store, 40) == 42


def test_what_is_for_linkers_is_left_out() -> None:
    assert b"linking" in OBJECT
    assert b"linking" not in module_of(OBJECT, "two")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (b"\x7fELF" + OBJECT, "no WebAssembly object"),
        (OBJECT.replace(b"two", b"six"), "no function two"),
        (OBJECT + b"\x0b\1\0", "has data"),
    ],
)
def test_other_objects_are_refused(code: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        module_of(code, "two")
