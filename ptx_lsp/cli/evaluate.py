"""`ptx-lsp eval`: the values of constant expressions, from the arguments, from standard input, or at a prompt."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.options import UsageError
from ptx_lsp.cli.printable import printable
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.constant import Constant
from ptx_lsp.constants.disagreement import disagreements
from ptx_lsp.constants.evaluation import Evaluation, evaluate
from ptx_lsp.constants.explanation import explain
from ptx_lsp.constants.spelling import decimal, exact, hexadecimal
from ptx_lsp.isa.special_registers import WARP_SIZE
from ptx_lsp.syntax.expressions import parse_whole_expression
from ptx_lsp.syntax.tree import Expression, Problem, TermKind

CHOICES = {option.name: option.value.split("|") for option in COMMANDS["eval"].options}
"""The values of each option. Only what is exactly one of these options is one: an expression may begin with `-`."""

SHOWN_DIGITS = 60
"""An exact value with more digits is not shown at the prompt."""


@dataclass(frozen=True, slots=True)
class EvalResult:
    """The result for one expression: its constant, or the problem if there is no constant; and notes for its author."""

    text: str
    constant: Constant | None
    problem: Problem | None
    notes: tuple[str, ...] = ()
    expression: Expression | None = None
    evaluation: Evaluation | None = None


@dataclass(frozen=True, slots=True)
class EvalArguments:
    """The options and expressions of a command line; `expressions` is None if they come from standard input."""

    format: str
    authority: Authority
    expressions: tuple[str, ...] | None


def run(arguments: list[str]) -> int:
    """Run the command; the exit code is 1 if an expression has no value, else 0. Raises UsageError."""
    request = _read_arguments(arguments)
    if request.expressions is None and sys.stdin is None:  # the process was started without one
        raise OSError("standard input is closed")
    if request.expressions is None and "-" not in arguments and sys.stdin.isatty():
        return _prompt(request)
    return _answer_all(_lines_of_input() if request.expressions is None else request.expressions, request)


def _read_arguments(arguments: list[str]) -> EvalArguments:
    """The request. Options may be anywhere before a `--`. Raises UsageError for a wrong value of an option."""
    chosen = {"--format": "text", "--authority": Authority.PTXAS.value}
    expressions: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if argument == "--":
            expressions += rest
        elif argument in CHOICES or (equals and name in CHOICES):
            value = value if equals else next(rest, "")
            if value not in CHOICES[name]:
                raise UsageError(f"`{name}` takes {' or '.join(CHOICES[name])}, not `{value}`")
            chosen[name] = value
        else:
            expressions.append(argument)
    from_input = expressions in ([], ["-"])
    return EvalArguments(
        chosen["--format"], Authority(chosen["--authority"]), None if from_input else tuple(expressions)
    )


def _lines_of_input() -> Iterator[str]:
    """The lines of standard input, each as soon as it is complete; bytes that are not UTF-8 become lone surrogates."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", "surrogateescape").removesuffix("\n").removesuffix("\r")


def _answer_all(texts: Iterable[str], request: EvalArguments) -> int:
    failed = False
    for text in texts:
        answer = answer_to(text, request.authority)
        failed |= answer.constant is None
        print(json.dumps(as_json(answer)) if request.format == "json" else as_text(answer), flush=True)
    return int(failed)


def answer_to(text: str, authority: Authority = Authority.PTXAS) -> EvalResult:
    """Evaluate one expression. No text raises an exception."""
    expression, problems = parse_whole_expression(text)
    if problems or expression is None:
        first = min(
            problems, key=lambda p: p.start, default=Problem("expected-operand", "there is no expression", 0, 0)
        )
        return EvalResult(text, None, first)
    evaluation = evaluate(expression, authority)
    if evaluation.errors or evaluation.value is None:
        return EvalResult(text, None, evaluation.errors[0] if evaluation.errors else _no_constant(expression))
    notes = [problem.message for problem in evaluation.warnings]
    if authority is Authority.PTXAS:
        notes += [found.text for found in disagreements(expression, evaluation.value)]
    return EvalResult(text, evaluation.value, None, tuple(notes), expression, evaluation)


def _no_constant(expression: Expression) -> Problem:
    """Why a correct expression has no value: it contains a name."""
    literals = (TermKind.INTEGER, TermKind.FLOAT, TermKind.SINGLE, TermKind.DOUBLE)
    names = [t for t in expression.terms if not t.operands and t.kind not in literals and t.text != WARP_SIZE]
    term = names[0] if names else expression.root
    return Problem("expected-constant", f"`{term.text}` is not a constant", term.start, term.end)


def as_json(answer: EvalResult) -> dict[str, object]:
    """The answer as one JSON object. `value` has 16 hexadecimal digits for every type."""
    constant = answer.constant
    if constant is None:
        return {"expr": answer.text, "ok": False, "error": answer.problem.message if answer.problem else ""}
    value = f"0x{constant.bits:016x}"
    kind, text = constant.type.value, decimal(constant)
    return {"expr": answer.text, "ok": True, "type": kind, "value": value, "text": text, "notes": list(answer.notes)}


def as_text(answer: EvalResult) -> str:
    """The answer for people: `0x20 + 2 = 34  0x0000000000000022  .s64`, notes below; a mistake is underlined."""
    constant = answer.constant
    if constant is None:
        return _mistake(answer)
    words = [
        f"{printable(answer.text.strip())} = {decimal(constant)}",
        hexadecimal(constant),
        f".{constant.type.value}",
    ]
    return "\n".join(["  ".join(words), *(f"  note: {note}" for note in answer.notes)])


def _mistake(answer: EvalResult) -> str:
    problem = answer.problem
    if problem is None:
        return "error"
    lines = [f"error: {printable(problem.message)}"]
    if answer.text.strip() and answer.text.isprintable() and len(answer.text) <= 200:
        width = max(1, min(problem.end, len(answer.text)) - problem.start)
        lines += [f"  {answer.text}", "  " + " " * problem.start + "^" * width]
    return "\n".join(lines)


def explained(answer: EvalResult, authority: Authority) -> str:
    """The answer at the prompt: with the steps of the evaluation, and with every digit of a float."""
    lines = [as_text(answer)]
    if answer.expression and answer.evaluation and answer.constant:
        steps = explain(answer.expression, answer.evaluation, authority)
        lines += [f"  {step.text}" for step in steps] if len(steps) > 1 or any(";" in s.text for s in steps) else []
        digits = exact(answer.constant.real) if answer.constant.is_float else ""
        if digits not in ("", decimal(answer.constant)) and len(digits) <= SHOWN_DIGITS:
            lines.append(f"  exactly {digits}")
    return "\n".join(lines)


def _prompt(request: EvalArguments) -> int:
    """Read expressions from a terminal until the end of input, and explain each."""
    with suppress(ImportError):  # its import gives `input` a history; Windows does not have it
        import readline  # noqa: F401
    print("PTX constant expressions, e.g. ((-1 % 2) - 5) / 2; an empty line ends.")
    while True:
        try:
            text = input("ptx> ")
        except (EOFError, KeyboardInterrupt):
            print()
            return 0
        if not text.strip():
            return 0
        answer = answer_to(text, request.authority)
        print(json.dumps(as_json(answer)) if request.format == "json" else explained(answer, request.authority))
