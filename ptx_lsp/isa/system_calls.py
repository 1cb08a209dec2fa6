"""The functions that the driver provides for every kernel: a module declares and calls them but never defines them.

Source: PTX Writer's Guide to Interoperability, "System Calls"; observed: full compile with ptxas 12.4, 12.9 and 13.5.
"""

_ROWS = """
vprintf        prints formatted output
malloc         takes memory from the device's heap
free           returns memory to the heap
__assertfail   reports a failed assertion
"""

SYSTEM_CALLS = frozenset(row.split()[0] for row in _ROWS.strip().splitlines())
"""Their names."""
