// Which documents start the server.

import assert from "node:assert/strict";
import test from "node:test";
import { needsServer } from "../src/hosts";

const LANGUAGES = ["cuda-cpp", "cpp", "python"];

const never = (): string => assert.fail("the text is not read");

test("PTX and CUDA C++ always need the server, and their text is not read", () => {
  assert.equal(needsServer("ptx", never, []), true);
  assert.equal(needsServer("cuda-cpp", never, LANGUAGES), true);
});

test("other languages need it when they hold the word of their inline assembly", () => {
  assert.equal(needsServer("cpp", () => 'asm volatile("bar.sync 0;");', LANGUAGES), true);
  assert.equal(needsServer("python", () => "tl.inline_asm_elementwise(", LANGUAGES), true);
  assert.equal(needsServer("python", () => "import triton", LANGUAGES), false);
});

test("languages that are switched off never need it, and their text is not read", () => {
  assert.equal(needsServer("rust", never, LANGUAGES), false);
  assert.equal(needsServer("cuda-cpp", never, []), false);
  assert.equal(needsServer("plaintext", never, LANGUAGES), false);
});
