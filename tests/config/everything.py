"""A configuration file with every setting."""

EVERYTHING = """
select = ["all"]
extend-select = ["unused-label"]
maximum-version = "8.4"
target = "sm_90a"
authority = "isa"
severity = { constants = "error", constant-wraps = "off" }

[ignore]
"generated/**" = ["unused", "never-written"]
"old.ptx" = ["all"]

[hints]
folded-values = false
hex-floats = false
truncated-values = false
operand-names = "off"
lookup-tables = false
byte-selectors = false
float-bits = false
hex-immediates = false
synchronization = false
"""
