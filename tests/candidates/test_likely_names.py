"""The names that completion offers for a declaration; the expected ones are those of files of NVIDIA's compiler."""

import pytest

from ptx_lsp.candidates import likely_names
from ptx_lsp.features.completion import completion, completion_steps
from tests.calls import calls_of
from tests.features.modules import in_body, marked

ABOVE = """.version 9.4
.target sm_90
.address_size 64
.global .align 4 .b8 table_0[8];
\t// .globl\tfirst
.visible .entry first(
\t.param .u64 first_param_0,
\t.param .u32 first_param_1
)
{
\t.local .align 8 .b8 \t__local_depot0[24];
\t.reg .b64 \t%SP;
\t.reg .pred \t%p<3>;
\t.reg .b64 \t%rd<9>;
\t{ // callseq 0
\t.param .b64 param0;
\t.param .b32 retval0;
\t}
\tret;
}
\t// .globl\tsecond
"""


def offered(text: str) -> list[str]:
    """The labels of the items at the cursor, below the declarations of another function."""
    found = completion(*marked(ABOVE + text))
    return [item.label for item in found.items] if found is not None else []


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        (".visible .entry ¦", "second"),
        (".visible .entry second(\n\t.param .u64 ¦", "second_param_0"),
        (".visible .entry second(\n\t.param .u64 second_param_0,\n\t.param .u32 ¦", "second_param_1"),
        (".visible .entry second(\n\t.param .u64 second_param_0,\n\t.param .u32 second¦", "second_param_1"),
        (".entry second()\n{\n\t.reg .b64 ¦", "%SP"),
        (".entry second()\n{\n\t.reg .pred %¦", "%p"),
        (".entry second()\n{\n\t.reg .f64 %¦", "%fd"),
        (".entry second()\n{\n\t.local .align 8 .b8 \t__local_depot0[4];\n\t.local .b8 ¦", "__local_depot1"),
        (".entry second()\n{\n\t{\n\t.param .b64 param0;\n\t.param .b64 ¦", "param1"),
        (".global .align 4 .b8 ¦", "table_1"),
    ],
)
def test_the_name_is_among_the_first(typed: str, wanted: str) -> None:
    assert wanted in offered(typed)[:3]


def test_the_function_that_is_announced_last_is_first() -> None:
    assert offered(".visible .entry ¦")[:2] == ["second", "first"]


def test_an_empty_module_has_the_usual_families() -> None:
    found = completion(*marked(in_body("\t.reg .b16 %¦").replace("%h<9>", "%x<9>")))
    assert found is not None
    assert "%rs" in [item.label for item in found.items]


def test_the_text_above_is_read_in_steps() -> None:
    """No step reads more than a piece of the text, and the last one finds all pieces in the memory."""
    kernel = ".visible .entry kernel_{0}(\n\t.param .u64 kernel_{0}_param_0\n)\n{{\n\t.reg .b32 \t%r<9>;\n\tret;\n}}\n"
    text = "".join(kernel.format(number) for number in range(likely_names.MOST_LINES // 7))
    module, position = marked(f"{ABOVE}{text}.global .b32 ¦")
    steps, made, ends = completion_steps(module, position), list[int](), list[object]()
    while not ends:
        made.append(calls_of(lambda: ends.extend(each for each in (next(steps, ends),) if each is ends)))
    assert len(made) > 20
    assert max(made) < 12_000  # of some 27,000


def test_a_long_series_is_counted_once() -> None:
    class Taken(set[str]):
        """Names that count how often one was looked up."""

        looks = 0

        def __contains__(self, name: object) -> bool:
            self.looks += 1
            return super().__contains__(name)

    names = [f"kernel_param_{number}" for number in range(400)]
    for order in (names, names[::-1]):
        taken, known = Taken(names), dict[str, tuple[int, int]]()
        assert {next(likely_names.next_of_series(name, taken, known)) for name in order} == {"kernel_param_400"}
        assert taken.looks <= 3 * len(names)
