"""Directives between the parameters and the body of a kernel or function; ptxas is asked about every row."""

from tests.judgement.verdicts import our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

KERNEL_DIRECTIVES = r"""
- | .entry k() .maxntid 1 {ret;}
- | .entry k() .maxntid 128, 1, 1 {ret;}
- | .entry k() .maxntid 128, 1 {ret;}
- | .entry k() .maxntid 1024, 2 {ret;}
- | .entry k() .maxntid 2048 {ret;}
- | .entry k() .maxntid 1025 {ret;}
- | .entry k() .maxntid 1, 1, 65 {ret;}
- | .entry k() .maxntid 1,1,64 {ret;}
- | .entry k() .maxntid 0x20 {ret;}
- | .entry k() .maxntid WARP_SZ {ret;}
- | .entry k() .maxntid 32U {ret;}
- | .entry k() .maxntid 1 .maxntid 1 {ret;}
- | .entry k() .maxntid 1 .maxntid 2 {ret;}
- | .entry k() .reqntid 2048 {ret;}
- | .entry k() .reqntid 1024, 2 {ret;}
- | .entry k() .reqntid 32 .reqntid 32 {ret;}
- | .entry k() .reqntid 32 .reqntid 64 {ret;}
- | .entry k() .minnctapersm 1 {ret;}
- | .entry k() .minnctapersm 2 .maxntid 32 {ret;}
- | .entry k() .maxntid 32 .minnctapersm 2 {ret;}
- | .entry k() .maxntid 32 .minnctapersm 2 .minnctapersm 3 {ret;}
- | .entry k() .minnctapersm 1000 .maxntid 32 {ret;}
- | .entry k() .maxnreg 16 {ret;}
- | .entry k() .maxnreg 999 {ret;}
- | .entry k() .maxnreg 255 {ret;}
- | .entry k() .maxnreg 256 {ret;}
- | .entry k() .maxnreg 16 .maxnreg 16 {ret;}
- | .entry k() .maxnreg 16 .maxnreg 32 {ret;}
- | .entry k() .maxnreg 16 .minnctapersm 2 .maxntid 32 {ret;}
- | .entry k() .pragma "nounroll"; {ret;}
- | .entry k() .pragma "foo"; {ret;}
- | .entry k() .pragma "a", "b"; {ret;}
- | .entry k() .reqnctapercluster 1 {ret;}
- | .entry k() .reqnctapercluster 2 {ret;}
- | .entry k() .reqnctapercluster 0 {ret;}
- | .entry k() .reqnctapercluster 2,1,1 {ret;}
- | .entry k() .reqnctapercluster 2,0 {ret;}
- | .entry k() .reqnctapercluster 99 {ret;}
- | .entry k() .reqnctapercluster 2 .reqnctapercluster 2 {ret;}
- | .entry k() .reqnctapercluster 2 .reqnctapercluster 4 {ret;}
- | .entry k() .explicitcluster {ret;}
- | .entry k() .explicitcluster .explicitcluster {ret;}
- | .entry k() .explicitcluster .reqnctapercluster 2 {ret;}
- | .entry k() .maxclusterrank 8 {ret;}
- | .entry k() .maxclusterrank 0 {ret;}
- | .entry k() .maxclusterrank 100 {ret;}
- | .entry k() .maxclusterrank 8 .maxclusterrank 8 {ret;}
- | .entry k() .maxclusterrank 8 .maxclusterrank 16 {ret;}
- | .entry k() .maxclusterrank 8 .explicitcluster {ret;}
- | .entry k() .blocksareclusters .reqntid 32 .reqnctapercluster 2 {ret;}
- | .entry k() .reqntid 32 .reqnctapercluster 2 .blocksareclusters {ret;}
- | .entry k() .reqntid 32 .reqnctapercluster 2 .blocksareclusters .blocksareclusters {ret;}
- | .entry k() .blocksareclusters .reqntid 32 .reqnctapercluster 2, 0, 1 {ret;}
- | .entry k() .blocksareclusters .reqntid 32 .reqnctapercluster 0 .reqnctapercluster 2 {ret;}
- | .entry k() .minperctamemory 1024 {ret;}
- | .entry k() .minperctamemory 0 {ret;}
- | .entry k() .minperctamemory 1024 .minperctamemory 1024 {ret;}
- | .entry k() .language "ptx" {ret;}
- | .entry k() .language "nvvm" {ret;}
- | .entry k() .language 1 {ret;}
- | .entry k() .language 0 {ret;}
- | .entry k() .language 10 {ret;}
- | .entry k() .language 1, 2 {ret;}
- | .entry k() .language "ptx", "nvvm" {ret;}
- | .entry k() .language "ptx", 1 {ret;}
- | .entry k() .language 1 .language 2 {ret;}
- | .entry k() .local_maxnreg 8 {ret;}
- | .entry k() .maxclusterrank 8 .reqntid 32 .minnctapersm 1 .maxnreg 32 {ret;}
directive-conflict ".blocksareclusters" | .entry k() .blocksareclusters .reqntid 32 {ret;}
directive-conflict ".blocksareclusters" | .entry k() .blocksareclusters {ret;}
directive-conflict ".reqnctapercluster" | .entry k() .maxclusterrank 2 .reqnctapercluster 2 {ret;}
directive-conflict ".blocksareclusters" | .entry k() .maxntid 32 .reqnctapercluster 2 .blocksareclusters {ret;}
directive-conflict ".reqntid" | .entry k() .maxntid 32 .reqntid 32 {ret;}
directive-conflict ".maxclusterrank" | .entry k() .reqnctapercluster 2 .maxclusterrank 2 {ret;}
directive-conflict ".maxntid" | .entry k() .reqntid 32 .maxntid 32 {ret;}
directive-value ""foo"" | .entry k() .language "foo" {ret;}
directive-value "11" | .entry k() .language 11 {ret;}
directive-value "ptx" | .entry k() .language ptx {ret;}
expected-operand "{" | .entry k() .language {ret;}
expected-operand "," | .entry k() .language ,1 {ret;}
extra-comma "," | .entry k() .language 1, {ret;}
extra-comma "," | .entry k() .language "ptx", {ret;}
extra-comma "," | .entry k() .language "ptx",,"nvvm" {ret;}
missing-comma "2" | .entry k() .language 1 2 {ret;}
missing-comma ""nvvm"" | .entry k() .language "ptx" "nvvm" {ret;}
missing-comma "1" | .entry k() .language "ptx" 1 {ret;}
directive-value "0" | .entry k() .local_maxnreg 0 {ret;}
directive-value "0" | .entry k() .local_maxnreg 0 .local_maxnreg 2 {ret;}
directive-value "18446744073709551616" | .entry k() .local_maxnreg 18446744073709551616 {ret;}
stray-token "," | .entry k() .local_maxnreg 1, {ret;}
stray-token "," | .entry k() .local_maxnreg 1,2 {ret;}
stray-token "2" | .entry k() .local_maxnreg 1 2 {ret;}
expected-operand ".local_maxnreg" | .entry k() .local_maxnreg {ret;}
directive-value "0" | .entry k() .blocksareclusters .reqntid 32 .reqnctapercluster 0 {ret;}
directive-value "0" | .entry k() .blocksareclusters .reqntid 32 .reqnctapercluster 0, 2 {ret;}
directive-value "0" | .entry k() .blocksareclusters .reqntid 32 .reqnctapercluster 2 .reqnctapercluster 0 {ret;}
directive-value "0" | .entry k() .maxnreg 0 {ret;}
directive-value "0" | .entry k() .maxntid 0 {ret;}
directive-value "0" | .entry k() .maxntid 0, 0, 0 {ret;}
directive-value "0" | .entry k() .maxntid 128, 0 {ret;}
directive-value "0" | .entry k() .maxntid 128, 1, 0 {ret;}
directive-value "0" | .entry k() .minnctapersm 0 {ret;}
stray-token "," | .entry k() .minperctamemory 1024, 2 {ret;}
expected-operand ".minperctamemory" | .entry k() .minperctamemory {ret;}
directive-value "0" | .entry k() .reqntid 0 {ret;}
directive-value "0" | .entry k() .reqntid 32, 0 {ret;}
misplaced-directive ".abi_preserve" | .entry k() .abi_preserve 0 {ret;}
misplaced-directive ".abi_preserve" | .entry k() .abi_preserve 1000 {ret;}
misplaced-directive ".abi_preserve" | .entry k() .abi_preserve 16 .abi_preserve 16 {ret;}
misplaced-directive ".abi_preserve" | .entry k() .abi_preserve 16 {ret;}
misplaced-directive ".abi_preserve_control" | .entry k() .abi_preserve_control 0 {ret;}
misplaced-directive ".abi_preserve_control" | .entry k() .abi_preserve_control 16 .abi_preserve_control 16 {ret;}
misplaced-directive ".abi_preserve_control" | .entry k() .abi_preserve_control 16 {ret;}
misplaced-directive ".abi_preserve_control" | .entry k() .abi_preserve_control 999 {ret;}
misplaced-directive ".noreturn" | .entry k() .noreturn .noreturn {ret;}
misplaced-directive ".noreturn" | .entry k() .noreturn {ret;}
pragma-scope ""enable_smem_spilling"" | .entry k() .pragma "enable_smem_spilling"; {ret;}
pragma-scope ""frequency 4"" | .entry k() .pragma "frequency 4"; {ret;}
pragma-scope ""used_bytes_mask 1"" | .entry k() .pragma "used_bytes_mask 1"; {ret;}
removed-directive ".maxnctapersm" | .entry k() .maxnctapersm 0 .maxntid 32 {ret;}
removed-directive ".maxnctapersm" | .entry k() .maxnctapersm 2 .maxntid 32 {ret;}
removed-directive ".maxnctapersm" | .entry k() .maxnctapersm 2 .minnctapersm 2 .maxntid 32 {ret;}
removed-directive ".maxnctapersm" | .entry k() .maxnctapersm 2 {ret;}
unknown-directive ".MAXNTID" | .entry k() .MAXNTID 32 {ret;}
unknown-directive ".align" | .entry k() .align 4 {ret;}
unknown-directive ".foo" | .entry k() .foo {ret;}
unknown-directive ".max_ntid" | .entry k() .max_ntid 32 {ret;}
unknown-directive ".nv_intermediate_source_section" | .entry k() .nv_intermediate_source_section {ret;}
unknown-directive ".regcount" | .entry k() .regcount 32 {ret;}
unknown-directive ".retain" | .entry k() .retain {ret;}
unknown-directive ".scale" | .entry k() .scale 2 {ret;}
unknown-directive ".sharedmem" | .entry k() .sharedmem 8 {ret;}
unknown-directive ".unique" | .entry k() .unique {ret;}
"""


def test_kernel_directives() -> None:
    assert our_mistakes(KERNEL_DIRECTIVES) == []


@needs_assembler
def test_ptxas_agrees_on_kernel_directives() -> None:
    assert ptxas_mistakes(KERNEL_DIRECTIVES) == []


FUNCTION_DIRECTIVES = r"""
- | .func k() .noreturn {ret;}
- | .func k() .abi_preserve 16 {ret;}
- | .func k() .abi_preserve 0 {ret;}
- | .func k() .abi_preserve 1000 {ret;}
- | .func k() .abi_preserve_control 0 {ret;}
- | .func k() .abi_preserve_control 11 {ret;}
- | .func k() .language "ptx" {ret;}
- | .func k() .language "nvvm" {ret;}
- | .func k() .language 1 {ret;}
- | .func k() .language 0 {ret;}
- | .func k() .language 10 {ret;}
- | .func k() .language 1, 2 {ret;}
- | .func k() .language "ptx", "nvvm" {ret;}
- | .func k() .language "ptx", 1 {ret;}
- | .func k() .local_maxnreg 8 {ret;}
directive-conflict ".abi_preserve" 2 | .func k() .abi_preserve 16 .abi_preserve 16 {ret;}
directive-conflict ".language" 2 | .func k() .language 1 .language 2 {ret;}
directive-conflict ".noreturn" 2 | .func k() .noreturn .noreturn {ret;}
directive-value "12" | .func k() .abi_preserve_control 12 {ret;}
directive-value "16" | .func k() .abi_preserve_control 16 {ret;}
directive-value "999" | .func k() .abi_preserve_control 999 {ret;}
directive-value ""foo"" | .func k() .language "foo" {ret;}
directive-value "11" | .func k() .language 11 {ret;}
directive-value "ptx" | .func k() .language ptx {ret;}
expected-operand "{" | .func k() .language {ret;}
extra-comma "," | .func k() .language 1, {ret;}
missing-comma "2" | .func k() .language 1 2 {ret;}
directive-value "0" | .func k() .local_maxnreg 0 {ret;}
misplaced-directive ".blocksareclusters" | .func k() .blocksareclusters .reqntid 32 .reqnctapercluster 2 {ret;}
misplaced-directive ".blocksareclusters" | .func k() .blocksareclusters .reqntid 32 {ret;}
misplaced-directive ".blocksareclusters" | .func k() .blocksareclusters {ret;}
misplaced-directive ".explicitcluster" | .func k() .explicitcluster .explicitcluster {ret;}
misplaced-directive ".explicitcluster" | .func k() .explicitcluster .reqnctapercluster 2 {ret;}
misplaced-directive ".explicitcluster" | .func k() .explicitcluster {ret;}
misplaced-directive ".maxntid" | .func k() .maxntid 1 {ret;}
misplaced-directive ".minnctapersm" | .func k() .minnctapersm 1 {ret;}
unknown-directive ".MAXNTID" | .func k() .MAXNTID 32 {ret;}
unknown-directive ".align" | .func k() .align 4 {ret;}
unknown-directive ".foo" | .func k() .foo {ret;}
unknown-directive ".nv_intermediate_source_section" | .func k() .nv_intermediate_source_section {ret;}
unknown-directive ".regcount" | .func k() .regcount 32 {ret;}
unknown-directive ".retain" | .func k() .retain {ret;}
unknown-directive ".scale" | .func k() .scale 2 {ret;}
unknown-directive ".sharedmem" | .func k() .sharedmem 8 {ret;}
unknown-directive ".unique" | .func k() .unique {ret;}
"""


def test_function_directives() -> None:
    assert our_mistakes(FUNCTION_DIRECTIVES) == []


@needs_assembler
def test_ptxas_agrees_on_function_directives() -> None:
    assert ptxas_mistakes(FUNCTION_DIRECTIVES) == []
