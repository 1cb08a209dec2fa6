"""Whether initial values fit their variable: braces, counts, kinds, symbols, and bits that are cut off.

Rules observed: ptxas 13.5. The braces and values are in one list, in source order; the check keeps a stack of levels.
"""

from itertools import islice

from ptx_lsp.constants.constant import Constant
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.isa.directive_names import INITIALISED
from ptx_lsp.isa.types import TYPES
from ptx_lsp.semantics.opaques import check_opaque
from ptx_lsp.semantics.operands import is_symbol, problems_of, report_problems, terms_from
from ptx_lsp.semantics.requirements import require
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import FUNCTION_KINDS, Symbol, SymbolKind
from ptx_lsp.syntax.known_values import pieces
from ptx_lsp.syntax.tree import Expression, Initialiser, Term, TermKind, ValueRun, Word
from ptx_lsp.syntax.value_runs import places_of, read_value, value_around

_ADDRESS_TYPES = (".u32", ".u64")
_MASKED_TYPES = (".u8", ".u32", ".u64")
_FEATURES = {SymbolKind.FUNCTION: "a function as initial value", SymbolKind.ENTRY: "a kernel as initial value"}
_PLAIN = frozenset((TermKind.INTEGER, TermKind.SINGLE, TermKind.DOUBLE, TermKind.FLOAT))
_EXACT = ("0f", "0F", "0d", "0D")  # the begin of a float in hexadecimal
_DIGITS = 19  # literals with fewer characters than this are below 2**64 and need no evaluation


class _Level:
    """One pair of braces: the number of elements it may have (-1: any) and has so far, and whether it is a vector.

    `unchecked` is true if ptxas takes anything between these braces.
    """

    def __init__(self, size: int, vector: bool, start: int, unchecked: bool = False) -> None:
        self.size = size
        self.vector = vector
        self.start = start
        self.unchecked = unchecked
        self.count = 0
        self.surplus: Expression | Word | None = None


class _Walk:
    """The state of one walk: the variable, its open braces, and the codes that were reported.

    `sizes` are the dimensions of the variable. `bad` is the number of values that are wrong or have an unknown value,
    `outermost` the number of elements in the outermost braces once these are closed. `fine` are the kinds and spaces of
    symbols whose address was fine: a table may have thousands.
    """

    def __init__(self, symbol: Symbol, sizes: tuple[int, ...], surroundings: Surroundings) -> None:
        self.symbol = symbol
        self.sizes = sizes
        self.surroundings = surroundings
        self.levels: list[_Level] = []
        self.reported: set[str] = set()
        self.bad = 0
        self.outermost = 0
        self.fine: set[tuple[SymbolKind, str]] = set()

    def report(self, code: str, start: int, end: int, message: str, **data: str) -> None:
        """Report each code once per initialiser: a table of the wrong type is one mistake, not a thousand."""
        self.bad += 1
        if code not in self.reported:
            self.reported.add(code)
            self.surroundings.report(code, start, end, message, data=data)


def check_initialiser(initialiser: Initialiser, symbol: Symbol, surroundings: Surroundings) -> Symbol:
    """Report what is wrong with initial values; return the variable, with the first size filled in if it was open."""
    items = initialiser.items
    row = TYPES.get(symbol.type)
    if row is None or not items:
        return symbol
    if row.letter == "o":
        count = check_opaque(initialiser, symbol, surroundings)
        return symbol.changed(dimensions=(count, *symbol.dimensions[1:])) if symbol.dimensions[:1] == (0,) else symbol
    if _without_values(initialiser, symbol, surroundings):
        return symbol
    walk = _Walk(symbol, symbol.dimensions, surroundings)
    integers = 1 << min(row.bits, 64) if row.letter in "bsu" else 0
    floats = (row.letter == "f" and row.bits > 16) or (row.letter == "b" and row.bits >= 32)
    for item in items:
        if isinstance(item, Word):
            _brace(walk, item)
        elif walk.levels and walk.levels[-1].unchecked:
            continue
        elif isinstance(item, ValueRun):
            _check_run(walk, item, integers, floats)
        elif _enter(walk, item, walk.levels[-1] if walk.levels else None) and not (
            _surely_fits(item, integers, floats) or _is_fine_address(walk, item)
        ):
            _check_value(walk, item)
    if symbol.dimensions[:1] == (0,) and walk.outermost:
        return symbol.changed(dimensions=(walk.outermost, *symbol.dimensions[1:]))
    return symbol


def _check_run(walk: _Walk, run: ValueRun, integers: int, floats: bool) -> None:
    """Check many values together: only those that do not surely fit are looked at one by one."""
    level, first = walk.levels[-1], 0
    parts = [*pieces(run.text, run.start, run.end)]
    count = sum(values.number for _, _, values in parts)
    allowed = 0 if level.surplus is not None else count if level.size < 0 else level.size - level.count
    level.count += count
    if level.surplus is None and allowed < count:
        level.surplus = read_value(run, *next(islice(places_of(run), allowed, None)))
    if allowed and _lacks_braces(walk, value_around(run, run.start)):
        first = min(allowed, count)
        walk.bad += first - 1
    for begin, end, values in parts:
        if first < values.number and not values.fit(integers, floats):
            part = ValueRun(run.text, begin, end)
            for start, below in islice(places_of(part), first, values.number):
                if not _literal_fits(run.text[start:below].strip(), integers, floats):
                    _check_value(walk, read_value(run, start, below))
        first = max(0, first - values.number)


def _without_values(initialiser: Initialiser, symbol: Symbol, surroundings: Surroundings) -> bool:
    """Whether no variable can have the type; report its values."""
    if TYPES[symbol.type].letter == "x":
        message = f"`{symbol.type}` takes no initial value: declare `{symbol.name}` as bits and give the pattern"
        surroundings.report("initialiser-type", initialiser.start, initialiser.end, message)
    return TYPES[symbol.type].letter == "x" or symbol.type == ".pred"


def _surely_fits(item: Expression, integers: int, floats: bool) -> bool:
    """Whether an expression is one literal that fits surely."""
    return len(item.terms) == 1 and item.terms[0].kind in _PLAIN and _literal_fits(item.terms[0].text, integers, floats)


def _literal_fits(text: str, integers: int, floats: bool) -> bool:
    """True for a literal integer below `integers`, and for a literal float if `floats`; such values fit surely."""
    if text.isdecimal():
        return len(text) < _DIGITS and (text[0] != "0" or len(text) == 1) and int(text) < integers
    if text[:2] == "0x":
        return text[-1] != "U" and len(text) < _DIGITS and int(text, 16) < integers
    if text[:2] in _EXACT:
        return floats
    return floats and len(text) < _DIGITS and text.replace(".", "", 1).isdecimal()


def _brace(walk: _Walk, brace: Word) -> None:
    if brace.text == "{":
        _open(walk, brace)
    elif walk.levels:
        level = walk.levels.pop()
        _close(walk, level, brace)
        if not walk.levels:
            walk.outermost = level.count


def _open(walk: _Walk, brace: Word) -> None:
    depth = len(walk.levels)
    sizes, lanes = walk.sizes, walk.symbol.vector
    packed = walk.symbol.type == ".f16x2"
    if depth and not _count(brace, walk.levels[-1]):
        walk.levels.append(_Level(-1, False, brace.start, packed))
        return
    if depth < len(sizes):
        open_ended = depth == 0 and sizes[0] == 0
        walk.levels.append(_Level(-1 if open_ended or sizes[depth] < 0 else sizes[depth], False, brace.start))
    elif depth == len(sizes) and lanes > 1:
        walk.levels.append(_Level(lanes, True, brace.start))
    elif packed:  # a pair of halves is never looked at
        walk.levels.append(_Level(-1, False, brace.start, True))
    else:
        what = "one value" if not sizes else f"{len(sizes)} level{'s' if len(sizes) > 1 else ''} of braces"
        walk.report("initialiser-shape", brace.start, brace.end, f"too many braces: `{walk.symbol.name}` takes {what}")
        walk.levels.append(_Level(-1, False, brace.start, True))


def _close(walk: _Walk, level: _Level, brace: Word) -> None:
    if level.vector and level.count < level.size and "initialiser-shape" not in walk.reported:
        message = f"a vector of {level.size} needs {level.size} values, and here {_are(level.count)}"
        walk.report("initialiser-count", level.start, brace.end, message)
    elif level.surplus is not None and level.count - level.size > walk.bad and "initialiser-shape" not in walk.reported:
        surplus = level.surplus
        what = "vector" if level.vector else "array"
        message = f"too many values: the {what} has {level.size}, and here {_are(level.count)}"
        walk.report("initialiser-count", surplus.start, surplus.end, message)


def _are(count: int) -> str:
    return "is 1" if count == 1 else f"are {count}"


def _count(item: Expression | Word, level: _Level) -> bool:
    """Count an item in its pair of braces; False if they have no place for it."""
    level.count += 1
    if 0 <= level.size < level.count and level.surplus is None:
        level.surplus = item
    return level.surplus is None


def _enter(walk: _Walk, item: Expression, level: _Level | None) -> bool:
    """Count a value in its pair of braces; False if braces are missing around it."""
    if level is not None:
        _count(item, level)
        if level.surplus is not None:
            return True
    return not _lacks_braces(walk, item)


def _lacks_braces(walk: _Walk, item: Expression) -> bool:
    """Report a value if braces are missing around it; whether they are."""
    wanted = len(walk.sizes) + (walk.symbol.vector > 1)
    if len(walk.levels) < wanted:
        missing = "another pair of braces" if walk.levels else "braces"
        walk.report("initialiser-shape", item.start, item.end, f"the values of `{walk.symbol.name}` need {missing}")
    return len(walk.levels) < wanted


def _check_value(walk: _Walk, item: Expression) -> None:
    known = TYPES.get(walk.symbol.type)
    if known is not None and not known.initial:
        type_, name = walk.symbol.type, walk.symbol.name
        message = f"`{type_}` takes no initial value: declare `{name}` as bits and give the pattern"
        walk.report("initialiser-type", item.start, item.end, message)
        return
    named = next(filter(is_symbol, item.terms), None)
    if named is not None and not named.text:
        walk.bad += 1  # the parser has reported that `generic` has no name
    elif item.root.kind is TermKind.MASK:
        _check_mask(walk, item)
    elif named is not None:
        _check_address(walk, item, named)
    else:
        _check_constant(walk, item)


def _check_constant(walk: _Walk, item: Expression) -> None:
    outcome, row = evaluate(item), TYPES[walk.symbol.type]
    report_problems(problems_of(outcome, item, is_integer=row.letter in "su"), walk.surroundings)
    constant = outcome.value
    if constant is None:
        walk.bad += 1
        return
    written = walk.surroundings.source(item.start, item.end)
    if constant.is_float and row.letter in "su":
        message = f"`{row.name}` takes integers, and `{written}` is a float"
        walk.report("initialiser-type", item.start, item.end, message)
    elif not constant.is_float and row.letter == "f":
        plain = len(item.terms) == 1 and written.isdecimal() and not written.startswith("0")
        data = {"replacement": written + ".0"} if plain else {}
        message = f"`{row.name}` takes floats, and `{written}` is an integer"
        walk.report("initialiser-type", item.start, item.end, message, **data)
    else:
        _check_bits(walk, item, constant)


def _check_bits(walk: _Walk, item: Expression, constant: Constant) -> None:
    row = TYPES[walk.symbol.type]
    if constant.is_float:
        if row.letter == "b" and row.bits < 32:
            kept = constant.bits & ((1 << row.bits) - 1)
            message = f"`{row.name}` keeps only the low {row.bits} bits of the float's pattern, {kept:#x}"
            walk.surroundings.report("constant-truncated", item.start, item.end, message)
        return
    value = constant.integer
    if not -(1 << (row.bits - 1)) <= value < (1 << row.bits):
        kept = value & ((1 << row.bits) - 1)
        message = f"{value} does not fit `{row.name}`: the assembler keeps the low {row.bits} bits, {kept:#x}"
        walk.surroundings.report("constant-truncated", item.start, item.end, message)


def _check_address(walk: _Walk, item: Expression, named: Term) -> None:
    """Check an address: a symbol, `generic(symbol)`, or one of them plus a constant."""
    base = _base(item)
    if base is None or item.root.text not in ("+", base.text):
        walk.bad += 1  # the parser has reported it
        return
    symbol = _look_up(walk, named, base.kind is TermKind.GENERIC)
    feature = "`generic()` in an initialiser" if base.kind is TermKind.GENERIC else "an address as initial value"
    if symbol is not None:
        feature = _FEATURES.get(symbol.kind, feature)
    if not require(feature, item.start, item.end, walk.surroundings) or symbol is None or not _check_addend(walk, item):
        return
    if walk.symbol.type not in _ADDRESS_TYPES:
        message = f"an address fits `.u64` or `.u32` only, and `{walk.symbol.name}` is `{walk.symbol.type}`"
        walk.report("initialiser-type", item.start, item.end, message)
    else:
        _check_function(walk, item, symbol)
        if len(item.terms) == 1:
            walk.fine.add((symbol.kind, symbol.space))


def _is_fine_address(walk: _Walk, item: Expression) -> bool:
    """Whether an expression is a name alone, of a kind and space that were fine before."""
    if not walk.fine or len(item.terms) != 1 or item.terms[0].kind is not TermKind.NAME:
        return False
    name = item.terms[0].text
    symbol = walk.surroundings.scope.lookup(name) if name != walk.symbol.name else None
    return symbol is not None and (symbol.kind, symbol.space) in walk.fine


def _check_function(walk: _Walk, item: Expression, symbol: Symbol) -> None:
    if symbol.kind in FUNCTION_KINDS and item.root.kind is TermKind.BINARY:
        message = f"nothing can be added to the address of a function such as `{symbol.name}`"
        walk.report("initialiser-symbol", item.start, item.end, message)


def _base(item: Expression) -> Term | None:
    """The name or `generic(name)` at the beginning of an address; None if the expression has another form."""
    root = item.root
    base = item.terms[root.operands[0]] if root.kind is TermKind.BINARY else root
    return base if base.kind in (TermKind.NAME, TermKind.GENERIC) else None


def _check_addend(walk: _Walk, item: Expression) -> bool:
    if item.root.kind is not TermKind.BINARY:
        return True  # nothing is added; the parser has reported `generic(x+4)`
    outcome = evaluate(item)
    report_problems(problems_of(outcome, item, is_integer=True), walk.surroundings)
    added = item.root.operands[1]
    value, term = outcome.values[added], item.terms[added]
    if value is not None and value.is_float:
        walk.report("initialiser-type", term.start, term.end, "what is added to an address is an integer")
        return False
    return not outcome.errors


def _look_up(walk: _Walk, named: Term, generic: bool) -> Symbol | None:
    """The symbol that an address names; report one that is not a `.global` or `.const` variable or a function."""
    surroundings = walk.surroundings
    symbol = walk.symbol if named.text == walk.symbol.name else surroundings.scope.lookup(named.text)
    if symbol is None:
        message = f"`{named.text}` is not declared above this line"
        walk.report("initialiser-symbol", named.start, named.end, message, name=named.text)
        return None
    fits = symbol.space in INITIALISED or (symbol.kind in FUNCTION_KINDS and not generic)
    if symbol.kind is SymbolKind.LABEL or not (fits or (not symbol.space and symbol.kind not in FUNCTION_KINDS)):
        message = f"only `.global` and `.const` variables and functions have an address here, not `{named.text}`"
        walk.report("initialiser-symbol", named.start, named.end, message)
        return None
    return symbol


def _check_mask(walk: _Walk, item: Expression) -> None:
    """Check `0xFF00(symbol + 4)`, which is one byte of an address or of a number."""
    root = item.root
    if not require("a byte mask in an initialiser", item.start, item.end, walk.surroundings):
        return
    mask = item.terms[root.operands[0]]
    outcome = evaluate(Expression((mask,), mask.start, mask.end)) if not mask.operands else None
    value = outcome.value if outcome else None
    if value is None or value.is_float or value.bits not in {0xFF << shift for shift in range(0, 64, 8)}:
        message = f"a mask selects one byte, such as `0xFF` or `0xFF00`, which `{mask.text}` does not"
        walk.report("initialiser-mask", mask.start, mask.end, message)
    else:
        _check_masked(walk, item)


def _check_masked(walk: _Walk, item: Expression) -> None:
    """Check what a mask selects from: an address for three types, an integer for every type of integers or bits."""
    named = next(filter(is_symbol, item.terms), None)
    if TYPES[walk.symbol.type].letter not in "bsu" or (named is not None and walk.symbol.type not in _MASKED_TYPES):
        types = "`.u8`, `.u32` or `.u64`" if named is not None else "integers and bits"
        kind = "of an address" if named is not None else "of an integer"
        message = f"a masked byte {kind} fits {types} only, and `{walk.symbol.name}` is `{walk.symbol.type}`"
        walk.report("initialiser-type", item.start, item.end, message)
        return
    if named is not None:
        require("an address as initial value", item.start, item.end, walk.surroundings)
        symbol = _look_up(walk, named, any(t.kind is TermKind.GENERIC for t in item.terms))
        inside = item.terms[item.root.operands[1]]
        address = Expression(terms_from(item.terms, 1), inside.start, inside.end)
        if symbol is not None and _base(address) is not None and _check_addend(walk, address):
            _check_function(walk, address, symbol)
        return
    if len(item.root.operands) < 2:
        return  # the parentheses are empty, which the parser has reported
    inner = item.root.operands[1]
    outcome = evaluate(item)
    report_problems(outcome.problems, walk.surroundings)
    value = outcome.values[inner]
    if value is not None and value.is_float:
        term = item.terms[inner]
        walk.report("initialiser-type", term.start, term.end, "a mask takes a byte of an address or an integer")
