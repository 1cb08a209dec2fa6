"""Tests of the oracle itself: a wrong reference makes every comparison worthless."""

import pytest

from tests.oracle.assembler import Assembler, Message, needs_assembler, read_messages, refused

DECLARATIONS = ".reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;"


def test_messages_are_read_with_and_without_a_line() -> None:
    output = (
        "ptxas /tmp/x.ptx, line 5; error   : Unknown symbol 'foo'\n"
        "ptxas /tmp/x.ptx, line 7; fatal   : Parsing error near ';': syntax error\n"
        "ptxas fatal   : Unexpected non-ASCII character encountered on line 9\n"
        "ptxas fatal   : Ptx assembly aborted due to errors\n"
    )
    assert read_messages(output) == (
        Message(5, "error", "Unknown symbol 'foo'"),
        Message(7, "fatal", "Parsing error near ';': syntax error"),
        Message(9, "fatal", "Unexpected non-ASCII character encountered on line 9"),
    )


@needs_assembler
def test_each_snippet_is_judged_independently() -> None:
    bodies = [
        "add.s32 %r1, %r2, %r3;",
        "add.s32 %r1, %f1, %r2;",  # rejected for its operand
        "add.s32 %r1 %r2;",  # ends the run with a syntax error
        "mov.u64 %rd1, (-9223372036854775807-1)/-1;",  # crashes ptxas
        "}",  # closes the frame
        "bra nowhere;",  # is rejected last
        "mov.b32 %r1, 0;",
    ]
    verdicts = [refused(m) for m in Assembler().snippets(bodies * 3, declarations=DECLARATIONS)]
    assert verdicts == [False, True, True, True, True, True, False] * 3


@needs_assembler
def test_a_rejected_frame_raises() -> None:
    with pytest.raises(ValueError, match="frame"):
        Assembler().snippets(["ret;"], declarations=".reg .b31 %r;")
