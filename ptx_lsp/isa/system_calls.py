"""The functions that the driver provides for every kernel: a module declares and calls them but never defines them.

Source: PTX Writer's Guide to Interoperability, "System Calls"; observed: full compile with ptxas 12.4, 12.9 and 13.5.
"""

_ROWS = """
vprintf        formatted output
malloc         memory of the device's heap
free           gives it back
__assertfail   a failed assertion
"""

SYSTEM_CALLS = frozenset(row.split()[0] for row in _ROWS.strip().splitlines())
"""Their names."""
