"""The head of a module: `.version`, `.target` and `.address_size`, in this order, and the module's profile.

Rules observed: ptxas 13.5.
"""

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.directive_names import (
    ADDRESS_SIZE,
    DEBUG,
    HEADER,
    NO_DOUBLES,
    TARGET,
    TARGET_OPTIONS,
    TEXTURE_MODES,
    VERSION,
)
from ptx_lsp.isa.releases import NEWEST, RELEASES, cuda_release, read_version, with_release
from ptx_lsp.isa.targets import FIRST_WITH_DOUBLES, TARGETS, compiles_for, first_version, read_target
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.nearest_word import guess
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.semantics.address_size import warn_of_directive
from ptx_lsp.semantics.literal_arguments import literal
from ptx_lsp.semantics.requirements import ABOVE_MAXIMUM, above_maximum, require
from ptx_lsp.semantics.surroundings import NARROW, WIDE, Profile, Report, Surroundings
from ptx_lsp.semantics.symbols import Mark
from ptx_lsp.syntax.tree import Directive, Word

# ptxas looks for `3.11` among its versions as 41, and compares it with others as 3.11; it knows 1.5 too, although no
# release notes name it
_NUMBERS = frozenset(10 * version.major + version.minor for version in (*RELEASES, Version(1, 5)))
_ADDRESS_SIZES = (NARROW, WIDE)
# ptxas passes over `_` and `$` before the number, reads the number and an `a` or `f` after it, and ignores the rest
_ARCHITECTURE = lazy_pattern(r"(?:sm|compute)_([_$]*)0*([0-9]{1,6})(.*)", re.S)
_PREFIXES = ("sm_", "compute_")  # ptxas passes over what is before them
_MISSING = "`{}` is missing: a module begins with `.version` and `.target`"
_FIRST_WORD = lazy_pattern(r"\S+")


def header_directive(
    statement: Directive, profile: Profile, seen: tuple[str, ...], surroundings: Surroundings
) -> Profile:
    """Report the mistakes in a `.version`, `.target` or `.address_size`; return the profile after it.

    `seen` are the names of such directives above it, in order, with another word at the end if a statement of another
    kind is above it.
    """
    if statement.name.text == VERSION:
        return _read_version(statement, profile, seen, surroundings)
    if statement.name.text == TARGET:
        return _read_target(statement, profile, seen, surroundings)
    return _read_address_size(statement, profile, seen, surroundings)


def header_without_reported(name: str, seen: tuple[str, ...], *, excused: bool) -> tuple[str, ...]:
    """What is above the directive `name` of the header, as if no mistake there had been reported.

    `seen` is what is above. Only what belongs to a header is left of it; if what is missing there is `excused`, because
    a mistake above may be in its place, the directives that `name` needs are added.
    """
    words = tuple(word for word in seen if word in HEADER)
    if not excused:
        return words
    if name == VERSION:
        return words if VERSION in words else ()
    return tuple(dict.fromkeys((VERSION, *words) if name == TARGET else (VERSION, TARGET, *words)))


def missing_header(seen: tuple[str, ...], start: int, end: int, surroundings: Surroundings) -> None:
    """Report a `.version` or `.target` that is missing before the first other statement, which begins at `start`.

    As in ptxas, a missing `.target` is reported only if there is a `.version`.
    """
    first = _FIRST_WORD.match(surroundings.source(start, end))
    end = start + first.end() if first else end
    if not seen or seen == (TARGET,):
        _missing(VERSION, start, end, surroundings)
    elif VERSION in seen and TARGET not in seen and ADDRESS_SIZE not in seen:
        _missing(TARGET, start, end, surroundings)


def missing_target(last: Mark) -> Report:
    """The report about a module that has only a `.version`; `last` is its place."""
    return Report("missing-target", last, _MISSING.format(TARGET), default_severity("missing-target"))


def _missing(name: str, start: int, end: int, surroundings: Surroundings) -> None:
    surroundings.report(f"missing-{name[1:]}", start, end, _MISSING.format(name))


def _misplaced(statement: Directive, message: str, surroundings: Surroundings) -> None:
    name = statement.name
    surroundings.report("misplaced-directive", name.start, name.end, message)


def _read_version(statement: Directive, profile: Profile, seen: tuple[str, ...], surroundings: Surroundings) -> Profile:
    if VERSION in seen:
        _misplaced(statement, "a module has one `.version`, at its very beginning", surroundings)
        return profile
    if seen == (TARGET,):
        message = "`.version` must be the first directive of a module, before `.target`"
        surroundings.report("missing-version", statement.name.start, statement.name.end, message)
    if not statement.arguments:
        return profile
    argument = statement.arguments[0]
    text = surroundings.source(argument.start, argument.end)
    version = read_version(text) if len(text) < 20 else None
    if version is None:
        if text.count(".") < 2:  # otherwise the parser has reported it
            message = f"`{text[:40]}` is not a version: write two numbers, such as `{NEWEST}`"
            surroundings.report("unsupported-version", argument.start, argument.end, message)
        return profile
    between = surroundings.source(statement.name.end, argument.start)
    if between.strip(" \t\r\f"):
        message = "the number must follow `.version` on its line, with blanks between them and no comment"
        surroundings.report("unsupported-version", argument.start, argument.end, message)
    elif 10 * version.major + version.minor not in _NUMBERS:
        message = f"PTX {version} does not exist"
        if version > NEWEST:
            message = f"PTX {version} is not known here yet: the newest known version is {NEWEST}"
        surroundings.report("unsupported-version", argument.start, argument.end, message)
        if version < NEWEST:
            return profile
    if profile.maximum is not None and version > profile.maximum:
        written_for = f"this module is written for PTX ISA {with_release(version)}"
        message = f"{written_for}, and {profile.maximum} is set as the highest version"
        data = {"version": str(version)}
        surroundings.report(ABOVE_MAXIMUM, argument.start, argument.end, message, data=data)
    written = surroundings.mark(argument.start, argument.end)
    return profile._replace(version=version, known=version <= NEWEST, written=written)


def _read_target(statement: Directive, profile: Profile, seen: tuple[str, ...], surroundings: Surroundings) -> Profile:
    if seen == (TARGET,):
        _missing(VERSION, statement.name.start, statement.name.end, surroundings)
    elif TARGET not in seen and ADDRESS_SIZE in seen and not set(seen) - {VERSION, ADDRESS_SIZE}:
        pass  # it was missing above, which is reported
    elif surroundings.function is None and set(seen) - {VERSION, TARGET}:
        _misplaced(statement, "`.target` must be at the top of the module, directly after `.version`", surroundings)
        return profile
    reported = len(surroundings.reports)
    for index, argument in enumerate(statement.arguments):
        if isinstance(argument, Word):
            found = surroundings.reports[reported:] if argument.text in TARGET_OPTIONS else ()
            if any(report.severity is Severity.ERROR for report in found):  # perhaps the right architecture has it
                profile = profile._replace(options=profile.options | {argument.text})
                continue
            profile = _take_target(argument, profile, index == 0 and TARGET not in seen, surroundings)
    return profile


def _take_target(word: Word, profile: Profile, first: bool, surroundings: Surroundings) -> Profile:
    """Read one word of a `.target`: an architecture, which must come first, or an option."""
    begin = max(word.text.rfind(prefix) for prefix in _PREFIXES)
    found = _ARCHITECTURE.fullmatch(word.text, max(begin, 0))
    if word.text in TARGET_OPTIONS:
        if first:
            message = f"an architecture such as `sm_90` comes before the option `{word.text}`"
            surroundings.report("unsupported-target", word.start, word.end, message)
        return _take_option(word, profile, surroundings)
    if found is None and not first:
        meant, data = guess(word.text, TARGET_OPTIONS)
        message = f"`{word.text}` is neither an architecture nor an option of `.target`{meant}"
        surroundings.report("target-option", word.start, word.end, message, data=data)
        return profile
    suffix = found[3] if found and found[3] in ("a", "f") else ""
    target = Target(int(found[2]), suffix) if found else None
    since = first_version(target) if target is not None else None
    if target is None or since is None:
        target = _refuse_target(word, surroundings)
        return profile if target is None else profile._replace(target=target)
    # a version that is too low is reported at the first architecture
    is_reported = not first and profile.version < (first_version(profile.target) or profile.version)
    if begin > 0 or (found and found[1]):
        _warn_of_letters(word, target, surroundings)
    if profile.version < since and not is_reported:
        _too_old(word, target, since, profile, surroundings)
    elif profile.maximum is not None and since > profile.maximum:
        above_maximum(f"`{target}`", since, word.start, word.end, surroundings)
    if profile.compiled_for is not None and not compiles_for(target, profile.compiled_for):
        chip = profile.compiled_for
        message = f"a module for `{target}` does not compile for `{chip}`, which is set as the target"
        surroundings.report("target-mismatch", word.start, word.end, message)
    return profile._replace(target=target, has_target=True)


def _warn_of_letters(word: Word, target: Target, surroundings: Surroundings) -> None:
    message = f"`ptxas` reads `{word.text}` as `{target}`"
    data = {"replacement": str(target)}
    surroundings.report("unsupported-target", word.start, word.end, message, severity=Severity.WARNING, data=data)


def _too_old(word: Word, target: Target, since: Version, profile: Profile, surroundings: Surroundings) -> None:
    """Report a version that is older than the target: at the target, as ptxas does, with a note at the version."""
    message = f"PTX {profile.version} does not know `{target}`, which came with PTX {since}"
    release = cuda_release(since)
    if release:
        message += f" (CUDA {release})"
    written = profile.written
    related = ((written, f"`.version {profile.version}` is written here"),) if written is not None else ()
    data = {"version": str(since)}
    surroundings.report("requires-version", word.start, word.end, message, related=related, data=data)


def _refuse_target(word: Word, surroundings: Surroundings) -> Target | None:
    """Report a word that is no architecture; return the one that it was probably meant to be, None if unknown."""
    meant, data = guess(word.text, map(str, TARGETS))
    message = f"`{word.text}` is not a known architecture{meant}"
    surroundings.report("unsupported-target", word.start, word.end, message, data=data)
    return read_target(data["replacement"]) if data else None


def _take_option(word: Word, profile: Profile, surroundings: Surroundings) -> Profile:
    others = profile.options.intersection(TEXTURE_MODES) - {word.text}
    message = ""
    if word.text in TEXTURE_MODES and others:
        message = f"`{word.text}` and `{min(others)}` exclude each other"
    elif word.text == NO_DOUBLES and profile.target.number >= FIRST_WITH_DOUBLES:
        message = f"`{NO_DOUBLES}` is for targets below `sm_{FIRST_WITH_DOUBLES}`: `{profile.target}` has doubles"
    if message:
        surroundings.report("target-option", word.start, word.end, message)
        return profile
    require(word.text, word.start, word.end, surroundings._replace(profile=profile))  # with the architecture before it
    says_debug = word.text == DEBUG and profile.debug is None
    mark = surroundings.mark(word.start, word.end) if says_debug else profile.debug
    return profile._replace(options=profile.options | {word.text}, debug=mark)


def _read_address_size(
    statement: Directive, profile: Profile, seen: tuple[str, ...], surroundings: Surroundings
) -> Profile:
    name = statement.name
    if ADDRESS_SIZE in seen:
        _misplaced(statement, "a module has one `.address_size`", surroundings)
        return profile
    if set(seen) - {VERSION, TARGET}:
        _misplaced(
            statement, "`.address_size` must be at the top of the module, directly after `.target`", surroundings
        )
        return profile
    missing_header(seen, name.start, name.end, surroundings)
    surroundings = surroundings._replace(profile=profile)
    require(ADDRESS_SIZE, name.start, name.end, surroundings)
    if not statement.arguments:
        return profile
    argument = statement.arguments[0]
    size = literal(argument, "the size of addresses", surroundings)
    if size is None:
        return profile
    if size not in _ADDRESS_SIZES:
        surroundings.report("address-size", argument.start, argument.end, f"addresses have 32 or 64 bits, not {size}")
        return profile
    if size == NARROW:
        warn_of_directive(argument.start, argument.end, surroundings)
    return profile._replace(address_size=size)
