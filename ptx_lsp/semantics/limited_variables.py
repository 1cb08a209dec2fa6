"""The variables of a scope of which there is limited memory: each is compared with the sum of those above it."""

from ptx_lsp.light_classes import Any, Callable, Iterable


class LimitedVariables(list[Any]):
    """The variables (`Symbol`) of one space, in source order. It keeps the sums of sizes that have been asked for.

    A list, because `insort` takes one. Only the three methods below change it: others would leave wrong sums.
    """

    __slots__ = ("_sums",)

    def __init__(self, symbols: Iterable[Any] = ()) -> None:
        super().__init__(symbols)
        self._sums = [0]  # of the first variables: of none, of one, of two

    def insert(self, index: Any, symbol: Any) -> None:
        """Add a variable."""
        del self._sums[index + 1 :]
        super().insert(index, symbol)

    def __delitem__(self, index: Any) -> None:
        del self._sums[index + 1 :]
        super().__delitem__(index)

    def __setitem__(self, index: Any, symbol: Any) -> None:
        del self._sums[index + 1 :]
        super().__setitem__(index, symbol)

    def bytes_of(self, count: int, size_of: Callable[[Any], int]) -> int:
        """The sum of the sizes of the first `count` variables; `size_of` is the same function each time."""
        sums = self._sums
        while len(sums) <= count:
            sums.append(sums[-1] + size_of(self[len(sums) - 1]))
        return sums[count]
