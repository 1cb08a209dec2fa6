"""The directives of linkage."""

LINKAGES = (".visible", ".extern", ".weak", ".common")
"""What the manual's chapter "Linking Directives" has: they begin a declaration, or the header of a function."""
