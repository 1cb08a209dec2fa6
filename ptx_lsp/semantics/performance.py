"""The directives between a function's parameters and its body: which are allowed there, with which values."""

from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.directive_names import ENTRY, FUNC, PROTOTYPE
from ptx_lsp.isa.versions import Version
from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.nearest_word import guess, nearest
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.semantics.launch import THREADS, check_launch
from ptx_lsp.semantics.literal_arguments import literal
from ptx_lsp.semantics.requirements import has, require
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.tree import Directive, Expression, FunctionHeader, Word

_NO_MAXNCTAPERSM = Version(2, 1)
_LANGUAGES = 10  # the highest number of a source language


class Tuning(NamedTuple):
    """One directive of a function header.

    `positive`: true if each of its arguments must be above zero. `kernels`, `functions`, `prototypes`: true if such a
    header may have the directive; `declared`: true if a header without a body may have it; `repeats`: true if one
    header may have it twice.
    """

    name: str
    positive: bool
    kernels: bool
    functions: bool
    prototypes: bool
    declared: bool
    repeats: bool


# name, above zero, kernels, functions, prototypes, without body, repeats; observed: ptxas 13.5
_ROWS = """
.maxntid               +  k - -  -  r
.reqntid               +  k - -  -  r
.minnctapersm          +  k - -  -  r
.maxnctapersm          +  k - -  -  r
.maxnreg               +  k - -  -  r
.reqnctapercluster     0  k - -  -  r
.explicitcluster       0  k - -  -  r
.maxclusterrank        0  k - -  -  r
.blocksareclusters     0  k - -  -  r
.minperctamemory       0  k - -  -  r
.local_maxnreg         +  k f -  -  r
.noreturn              0  - f p  d  -
.abi_preserve          0  - f p  d  -
.abi_preserve_control  0  - f p  d  -
"""


# the code of a number that is too high, the highest number, and what it counts
# observed: ptxas 13.5 (the first row: full compile); the manual's sections on the two directives
_PRESERVED = {
    ".abi_preserve": ("preserved-registers", 239, "data registers"),
    ".abi_preserve_control": ("directive-value", 11, "control registers"),
}


def _read(row: str) -> Tuning:
    name, positive, *flags = row.split()
    return Tuning(name, positive == "+", *(flag != "-" for flag in flags))


TUNINGS: dict[str, Tuning] = {t.name: t for t in map(_read, _ROWS.strip().splitlines())}
PRAGMA, LANGUAGE, CLUSTER = ".pragma", ".language", ".reqnctapercluster"
# names of source languages, in any case of letters; the manual lists all but the last two
_NAMES = "unknown,ptx,nvvm,cuda c++,cuda c++ tile,tile ir,python-cutile,fortran,optix,sass,nvsal"
LANGUAGES = frozenset(_NAMES.split(","))
_ORDER = {".noreturn": 0, ".abi_preserve": 1, ".abi_preserve_control": 1, LANGUAGE: 2}
"""The order of the directives of functions and prototypes (observed: ptxas 13.5)."""
_CONFLICTS = (THREADS, (CLUSTER, ".maxclusterrank"))


def check_directives(header: FunctionHeader, symbol: Symbol, surroundings: Surroundings) -> None:
    """Report what is wrong with each directive of a header, and with their combination."""
    seen: dict[str, Directive] = {}
    for directive in header.directives:
        if _misplaced(directive, header, surroundings):
            return  # the kind of function is wrong: one report for all of its directives
        _check_directive(directive, header, seen, surroundings)
        seen.setdefault(directive.name.text, directive)
    _check_order(header, surroundings)
    _check_conflicts(header, seen, surroundings)
    _check_results(symbol, seen, surroundings)
    if symbol.signature is not None:
        check_launch(symbol.signature.launch, seen, surroundings)


def _misplaced(directive: Directive, header: FunctionHeader, surroundings: Surroundings) -> bool:
    """Whether this kind of header cannot have a known directive; report it."""
    word, kind = directive.name, header.kind.text
    row = TUNINGS.get(word.text)
    if row is not None and not {ENTRY: row.kernels, FUNC: row.functions}.get(kind, row.prototypes):
        whose = "kernels (`.entry`)" if row.kernels else "functions (`.func`) and prototypes"
        message = f"`{word.text}` is for {whose} only"
    elif kind == PROTOTYPE and word.text == LANGUAGE:
        message = f"`{word.text}` is for functions, not for prototypes"
    elif header.body or kind == PROTOTYPE or not _needs_body(word.text, kind):
        return False
    else:
        name = header.name.text if header.name else "?"
        message = f"`{word.text}` must be on the definition of `{name}`, which has a body"
    surroundings.report("misplaced-directive", word.start, word.end, message)
    return True


def _needs_body(name: str, kind: str) -> bool:
    row = TUNINGS.get(name)
    if row is not None:
        return not row.declared
    return name == LANGUAGE or (name == PRAGMA and kind == ENTRY)


def _check_directive(
    directive: Directive, header: FunctionHeader, seen: dict[str, Directive], surroundings: Surroundings
) -> None:
    word = directive.name
    row = TUNINGS.get(word.text)
    if row is None:
        if word.text == LANGUAGE and LANGUAGE in seen and header.kind.text == FUNC:
            surroundings.report("directive-conflict", word.start, word.end, "a function names its languages once")
        _check_other(directive, surroundings)
        return
    first = seen.get(word.text)
    if first is not None and not row.repeats:
        message = f"`{word.text}` occurs twice in this header"
        related = ((surroundings.mark(first.name.start, first.name.end), "the first one is here"),)
        surroundings.report("directive-conflict", word.start, word.end, message, related=related)
        return
    if word.text == ".maxnctapersm" and surroundings.profile.version >= _NO_MAXNCTAPERSM:
        message = "PTX 2.1 removed `.maxnctapersm`: use `.minnctapersm`"
        data = {"replacement": ".minnctapersm"}
        surroundings.report("removed-directive", word.start, word.end, message, data=data)
        return
    require(word.text, word.start, word.end, surroundings)
    _check_numbers(directive, row, surroundings)


def _check_numbers(directive: Directive, row: Tuning, surroundings: Surroundings) -> None:
    word, arguments = directive.name, directive.arguments
    value: int | None = 0
    for argument in arguments:
        value = literal(argument, f"the number after `{word.text}`", surroundings)
        if value is None:
            return
        if value == 0 and row.positive:
            message = f"`{word.text}` takes a number above 0"
            surroundings.report("directive-value", argument.start, argument.end, message)
            return
    code, most, what = _PRESERVED.get(word.text, ("", 0, ""))
    if code and value is not None and value > most:
        message = f"`{word.text}` takes 0 to {most}, the number of {what} that the callers of a function can preserve"
        surroundings.report(code, arguments[0].start, arguments[0].end, message)


def _check_other(directive: Directive, surroundings: Surroundings) -> None:
    word = directive.name
    if word.text == PRAGMA:
        check_pragma(directive, surroundings, in_body=False)
    elif word.text == LANGUAGE:
        _check_languages(directive, surroundings)
    else:
        unknown_directive(word, frozenset((*TUNINGS, PRAGMA, LANGUAGE)), "in a function header", surroundings)


def _check_languages(directive: Directive, surroundings: Surroundings) -> None:
    word = directive.name
    require(LANGUAGE, word.start, word.end, surroundings)
    for argument in directive.arguments:
        _check_language(argument, surroundings)


def _check_language(argument: Expression | Word, surroundings: Surroundings) -> None:
    if isinstance(argument, Word):
        name = argument.text.strip('"')
        message = ""
        if name.lower() not in LANGUAGES:
            message = f"`{name}` is not a source language of PTX"
        elif not argument.text.startswith('"'):
            message = f'the name of a source language needs quotes: `"{name}"`'
        if message:
            near = nearest(name.lower(), LANGUAGES)
            data = {"replacement": f'"{near}"'} if near else {}
            surroundings.report("directive-value", argument.start, argument.end, message, data=data)
        return
    value = literal(argument, "a source language's number", surroundings)
    if value is not None and value > _LANGUAGES:
        message = f"source languages have numbers from 0 to {_LANGUAGES}"
        surroundings.report("directive-value", argument.start, argument.end, message)


def _check_order(header: FunctionHeader, surroundings: Surroundings) -> None:
    """Report the first directive of a function or prototype that belongs before an earlier one; kernels need none."""
    last: Word | None = None
    for word in (directive.name for directive in header.directives if header.kind.text != ENTRY):
        if word.text not in _ORDER:
            continue
        if last is not None and _ORDER[word.text] < _ORDER[last.text]:
            related = ((surroundings.mark(last.start, last.end), f"`{last.text}` is here"),)
            message = f"`{word.text}` belongs before `{last.text}`"
            surroundings.report("misplaced-directive", word.start, word.end, message, related=related)
            return
        last = word


def _check_conflicts(header: FunctionHeader, seen: dict[str, Directive], surroundings: Surroundings) -> None:
    for one, other in _CONFLICTS:
        if one in seen and other in seen:
            first, second = sorted((seen[one], seen[other]), key=lambda d: d.start)
            message = f"`{second.name.text}` and `{first.name.text}` exclude each other"
            related = ((surroundings.mark(first.name.start, first.name.end), f"`{first.name.text}` is here"),)
            surroundings.report("directive-conflict", second.name.start, second.name.end, message, related=related)
    blocks = seen.get(".blocksareclusters")
    if blocks is not None and not has(blocks.name.text, surroundings.profile):
        pass  # that is reported
    elif blocks is not None and not (".reqntid" in seen and CLUSTER in seen):
        word = blocks.name
        message = "`.blocksareclusters` also needs `.reqntid` and `.reqnctapercluster`"
        surroundings.report("directive-conflict", word.start, word.end, message)
    elif blocks is not None:
        _check_cluster(header, surroundings)
    minimum = seen.get(".minnctapersm")
    if minimum is not None and header.body and not (".maxntid" in seen or ".reqntid" in seen):
        message = "`.minnctapersm` has no effect without `.maxntid` or `.reqntid`"
        surroundings.report("ignored-directive", minimum.name.start, minimum.name.end, message)


def _check_cluster(header: FunctionHeader, surroundings: Surroundings) -> None:
    """Report a cluster of size 0, which is the same as none: the last `.reqnctapercluster` of a header holds."""
    sizes = [directive.arguments[:1] for directive in header.directives if directive.name.text == CLUSTER]
    for first in sizes[-1]:
        value = evaluate(first).value if isinstance(first, Expression) else None
        if value is not None and not value.bits:
            message = f"`.blocksareclusters` needs a `{CLUSTER}` above 0"
            surroundings.report("directive-value", first.start, first.end, message)


def _check_results(symbol: Symbol, seen: dict[str, Directive], surroundings: Surroundings) -> None:
    noreturn = seen.get(".noreturn")
    if noreturn is not None and symbol.signature is not None and symbol.signature.returns:
        word = noreturn.name
        message = "`.noreturn` and a result contradict each other"
        surroundings.report("directive-conflict", word.start, word.end, message)


class Pragma(NamedTuple):
    """What the first word of a string of `.pragma` means.

    `in_body`: true if it is allowed in the body of a function only. `meaning` is empty if the manual does not have it.
    `number`: true if it takes one integer in a body, which is read as the C library reads it. `positive`: true if that
    integer must be above 0.
    """

    in_body: bool
    meaning: str = ""
    number: bool = False
    positive: bool = False


# Source: PTX ISA, #descriptions-of-pragma-strings; where each is allowed, and those without a meaning: ptxas 13.5
PRAGMAS = {
    "nounroll": Pragma(
        False, "loops are not unrolled: the loop whose header follows, or all of the function or module"
    ),
    "used_bytes_mask": Pragma(
        True, "a bit for each byte that the next instruction, a load, reads: 1 if the program uses the byte"
    ),
    "enable_smem_spilling": Pragma(
        True, "registers of this function are spilled to shared memory first, then to local memory"
    ),
    "frequency": Pragma(
        True,
        "how often a thread executes the basic block that begins here: a hint to the optimizer",
        number=True,
        positive=True,
    ),
    "mma_throughput": Pragma(True),
    "abi_param_reg": Pragma(False),
    "local_maxnreg": Pragma(False, number=True),
}
_NUMBER = lazy_pattern(r"\w++\s++([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)", re.A)
KNOBS = ("next knob", "global knob")
"""The beginnings of pragmas with a setting of the assembler itself, which follows after one character."""

FOR_KERNELS = "enable_smem_spilling"


def _quoted(text: str) -> bool:
    return len(text) > 1 and text[0] == text[-1] == '"'


def check_pragma(directive: Directive, surroundings: Surroundings, *, in_body: bool) -> None:
    """Report pragmas outside of the function or kernel that they need, and pragmas that no assembler knows.

    `in_body` is true if the pragma is in the body of a function.
    """
    require(PRAGMA, directive.name.start, directive.name.end, surroundings)
    for argument in directive.arguments:
        if not isinstance(argument, Word) or not _quoted(argument.text):
            continue  # the parser has reported it
        text = argument.text.strip('"')
        knob = next((begin for begin in KNOBS if text.startswith(begin)), "")
        if knob:
            if in_body:
                require(f"the pragma `{knob}`", argument.start, argument.end, surroundings)
            if len(text) <= len(knob) + 1:
                message = f"pragma `{knob}` needs a setting of the assembler after a blank"
                surroundings.report("directive-value", argument.start, argument.end, message)
            continue
        words = text.split()
        name = words[0] if words else ""
        function = surroundings.function
        pragma = PRAGMAS.get(name)
        if pragma is not None and pragma.number and in_body and not _has_number(text, pragma.positive):
            above = " above 0" if pragma.positive else ""
            message = f'pragma `{name}` takes one number{above}, such as `"{name} 4"`'
            surroundings.report("directive-value", argument.start, argument.end, message)
            continue
        if pragma is not None and pragma.in_body and not in_body:
            message = f"pragma `{name}` is about the code after it: it must be inside a function"
            surroundings.report("pragma-scope", argument.start, argument.end, message)
        elif name == FOR_KERNELS and function is not None and _is_device_function(function):
            message = f"pragma `{name}` is for kernels, and `{function.name}` is a device function"
            surroundings.report("pragma-scope", argument.start, argument.end, message)
        elif pragma is not None:
            if in_body or not pragma.number:
                require(name, argument.start, argument.end, surroundings)
        else:
            near = nearest(name.lower(), PRAGMAS)
            data = {"replacement": f'"{near}"'} if near else {}
            message = f"no known assembler has the pragma `{name}`"
            surroundings.report("unknown-pragma", argument.start, argument.end, message, data=data)


def _has_number(text: str, positive: bool) -> bool:
    """Whether a pragma has one integer after its name and a blank, and none that is refused."""
    found = _NUMBER.fullmatch(text)
    return found is not None and not (positive and (found[1] == "-" or not found[2].strip("0xX")))


def _is_device_function(function: Symbol) -> bool:
    """Whether a function is no kernel. The one around a fragment, which is declared outside the text, may be one."""
    return function.kind is not SymbolKind.ENTRY and function.mark.range.line >= 0


def unknown_directive(word: Word, known: frozenset[str], where: str, surroundings: Surroundings) -> None:
    """Report an unknown directive, with the nearest one that is allowed there."""
    meant, data = guess(word.text, known)
    message = f"`{word.text}` is not a directive {where}{meant}"
    severity = None if surroundings.profile.known else Severity.INFORMATION
    surroundings.report("unknown-directive", word.start, word.end, message, severity=severity, data=data)
