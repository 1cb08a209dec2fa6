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
directive-conflict | .entry k() .blocksareclusters .reqntid 32 {ret;}
directive-conflict | .entry k() .blocksareclusters {ret;}
directive-conflict | .entry k() .maxclusterrank 2 .reqnctapercluster 2 {ret;}
directive-conflict | .entry k() .maxntid 32 .reqnctapercluster 2 .blocksareclusters {ret;}
directive-conflict | .entry k() .maxntid 32 .reqntid 32 {ret;}
directive-conflict | .entry k() .reqnctapercluster 2 .maxclusterrank 2 {ret;}
directive-conflict | .entry k() .reqntid 32 .maxntid 32 {ret;}
directive-value | .entry k() .language "foo" {ret;}
directive-value | .entry k() .language 11 {ret;}
directive-value | .entry k() .language ptx {ret;}
directive-value | .entry k() .language {ret;}
directive-value | .entry k() .maxnreg 0 {ret;}
directive-value | .entry k() .maxntid 0 {ret;}
directive-value | .entry k() .maxntid 0, 0, 0 {ret;}
directive-value | .entry k() .maxntid 128, 0 {ret;}
directive-value | .entry k() .maxntid 128, 1, 0 {ret;}
directive-value | .entry k() .minnctapersm 0 {ret;}
directive-value | .entry k() .minperctamemory 1024, 2 {ret;}
directive-value | .entry k() .minperctamemory {ret;}
directive-value | .entry k() .reqntid 0 {ret;}
directive-value | .entry k() .reqntid 32, 0 {ret;}
misplaced-directive | .entry k() .abi_preserve 0 {ret;}
misplaced-directive | .entry k() .abi_preserve 1000 {ret;}
misplaced-directive | .entry k() .abi_preserve 16 .abi_preserve 16 {ret;}
misplaced-directive | .entry k() .abi_preserve 16 {ret;}
misplaced-directive | .entry k() .abi_preserve_control 0 {ret;}
misplaced-directive | .entry k() .abi_preserve_control 16 .abi_preserve_control 16 {ret;}
misplaced-directive | .entry k() .abi_preserve_control 16 {ret;}
misplaced-directive | .entry k() .abi_preserve_control 999 {ret;}
misplaced-directive | .entry k() .noreturn .noreturn {ret;}
misplaced-directive | .entry k() .noreturn {ret;}
pragma-scope | .entry k() .pragma "enable_smem_spilling"; {ret;}
pragma-scope | .entry k() .pragma "frequency 4"; {ret;}
pragma-scope | .entry k() .pragma "used_bytes_mask 1"; {ret;}
removed-directive | .entry k() .maxnctapersm 0 .maxntid 32 {ret;}
removed-directive | .entry k() .maxnctapersm 2 .maxntid 32 {ret;}
removed-directive | .entry k() .maxnctapersm 2 .minnctapersm 2 .maxntid 32 {ret;}
removed-directive | .entry k() .maxnctapersm 2 {ret;}
unknown-directive | .entry k() .MAXNTID 32 {ret;}
unknown-directive | .entry k() .align 4 {ret;}
unknown-directive | .entry k() .foo {ret;}
unknown-directive | .entry k() .max_ntid 32 {ret;}
unknown-directive | .entry k() .nv_intermediate_source_section {ret;}
unknown-directive | .entry k() .regcount 32 {ret;}
unknown-directive | .entry k() .retain {ret;}
unknown-directive | .entry k() .scale 2 {ret;}
unknown-directive | .entry k() .sharedmem 8 {ret;}
unknown-directive | .entry k() .unique {ret;}
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
directive-conflict | .func k() .abi_preserve 16 .abi_preserve 16 {ret;}
directive-conflict | .func k() .language 1 .language 2 {ret;}
directive-conflict | .func k() .noreturn .noreturn {ret;}
directive-value | .func k() .abi_preserve_control 12 {ret;}
directive-value | .func k() .abi_preserve_control 16 {ret;}
directive-value | .func k() .abi_preserve_control 999 {ret;}
directive-value | .func k() .language "foo" {ret;}
directive-value | .func k() .language 11 {ret;}
directive-value | .func k() .language ptx {ret;}
directive-value | .func k() .language {ret;}
misplaced-directive | .func k() .blocksareclusters .reqntid 32 .reqnctapercluster 2 {ret;}
misplaced-directive | .func k() .blocksareclusters .reqntid 32 {ret;}
misplaced-directive | .func k() .blocksareclusters {ret;}
misplaced-directive | .func k() .explicitcluster .explicitcluster {ret;}
misplaced-directive | .func k() .explicitcluster .reqnctapercluster 2 {ret;}
misplaced-directive | .func k() .explicitcluster {ret;}
misplaced-directive | .func k() .maxntid 1 {ret;}
misplaced-directive | .func k() .minnctapersm 1 {ret;}
unknown-directive | .func k() .MAXNTID 32 {ret;}
unknown-directive | .func k() .align 4 {ret;}
unknown-directive | .func k() .foo {ret;}
unknown-directive | .func k() .nv_intermediate_source_section {ret;}
unknown-directive | .func k() .regcount 32 {ret;}
unknown-directive | .func k() .retain {ret;}
unknown-directive | .func k() .scale 2 {ret;}
unknown-directive | .func k() .sharedmem 8 {ret;}
unknown-directive | .func k() .unique {ret;}
"""


def test_function_directives() -> None:
    assert our_mistakes(FUNCTION_DIRECTIVES) == []


@needs_assembler
def test_ptxas_agrees_on_function_directives() -> None:
    assert ptxas_mistakes(FUNCTION_DIRECTIVES) == []
