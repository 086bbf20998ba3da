import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { SourceCompiler } from "../../../../src/app/service/parts/SourceCompiler.ts";
import { findSourceFiles, joinSources } from "../../../../src/contracts/abi/files/sourceText.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { compileTolkText } from "../../../kit/cell/compileTolk.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

const main = 'import "lib/sum"\nget fun total(): int { return sum(2, 3); }\nfun onInternalMessage(_: InMessage) { }\n';
const sum = "@noinline\nfun sum(a: int, b: int): int { return a + b; }\n";
const files = [
  { name: "main.tolk", text: main },
  { name: "lib/sum.tolk", text: sum },
];

/** No test waits for a limit. */
const patient = { timeoutMs: 600_000 };

/** A compiler of this code. */
function writeCompiler(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tongate-compiler-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "compiler.cjs");
  writeFileSync(path, code);
  return path;
}

it("keeps the files of a source in one text", () => {
  expect(findSourceFiles(joinSources(files))).toEqual(files);
  expect(joinSources([{ name: "any.tolk", text: sum }])).toBe(sum);
  expect(findSourceFiles(sum)).toEqual([{ name: "main.tolk", text: sum }]);
  const many = Array.from({ length: 101 }, (_, at) => ({ name: `${at}.tolk`, text: "" }));
  expect(findSourceFiles(joinSources(many))).toBeUndefined();
});

it("compiles a source to the hash of its code", async () => {
  const code = await compileTolkText("main.tolk", new Map(files.map(({ name, text }) => [name, text])));
  const { compile } = new SourceCompiler(systemClock, patient);
  expect(await compile(joinSources(files))).toEqual({
    kind: "compiled",
    codeHash: code.hash(),
    compiler: expect.stringMatching(/^tolk \d+\.\d+/),
  });
});

it("lists a source for the assembler, each file with numbers of lines that no other has", async () => {
  const compiler = new SourceCompiler(systemClock, patient);
  const code = await compileTolkText("main.tolk", new Map(files.map(({ name, text }) => [name, text])));
  const [first, second] = files;
  const listing = await compiler.list(joinSources(files));
  expect(listing?.files).toEqual([
    { ...first, lineOffset: 20_000 },
    { ...second, lineOffset: 20_004 },
  ]);
  expect(listing?.code.hash()).toBe(code.hash());
  expect(listing?.fift).toContain("// 20006: fun sum(a: int, b: int): int { return a + b; }\n");
  // No error is a listing, and a source of many files would be padded with too many lines.
  expect(await compiler.list("fun onInternalMessage( {")).toBeUndefined();
  const long = Array.from({ length: 100 }, (_, at) => ({ name: `${at}.tolk`, text: "\n".repeat(5000) }));
  expect(await compiler.list(joinSources(long))).toBeUndefined();
  expect(await new SourceCompiler(systemClock, { findCompiler: () => undefined }).list(main)).toBeUndefined();
});

it("has no listing of a compiler that writes something else", async () => {
  const result = (code: string) => `exports.runTolkCompiler = async () => (${code});`;
  for (const code of ['{ status: "ok", codeBoc64: "!", fiftCode: "" }', '{ status: "ok" }', "null", "[]"]) {
    const path = writeCompiler(result(code));
    const compiler = new SourceCompiler(systemClock, { ...patient, findCompiler: () => path });
    expect(await compiler.list(main)).toBeUndefined();
  }
});

it("says why a source does not compile, and reads no other file", async () => {
  const { compile } = new SourceCompiler(systemClock, patient);
  const failed = { kind: "failed", reason: expect.any(String) };
  expect(await compile("fun onInternalMessage( {")).toEqual(failed);
  const outside = await compile('import "../../../../../../etc/hostname"\nfun onInternalMessage(_: InMessage) { }\n');
  expect(outside).toEqual({ kind: "failed", reason: expect.stringContaining("is not a file of the source") });
});

it("ends a compiler that takes too long, and tries again only later, however often it is asked", async () => {
  const clock = new ManualClock();
  const { compile } = new SourceCompiler(clock, { timeoutMs: 1, retryMs: 1000 });
  const text = joinSources(files);
  const late = { kind: "failed", reason: "it took more than 0.001 s, or too much" };
  const first = compile(text);
  expect([await first, compile(text) === first]).toEqual([late, true]);
  await clock.advance(1000);
  const again = compile(text);
  expect([again === first, await again]).toEqual([false, late]);
});

it("ends its process when it closes", async () => {
  const endless = "exports.runTolkCompiler = () => new Promise(() => setInterval(() => {}, 1000));";
  const compiler = new SourceCompiler(systemClock, { ...patient, findCompiler: () => writeCompiler(endless) });
  const compiled = compiler.compile(main);
  const isOver = compiled.then(() => true);
  await vi.waitFor(
    async () => {
      await compiler.close();
      expect(await Promise.race([isOver, Promise.resolve(false)])).toBe(true);
    },
    { timeout: 300_000 },
  );
  expect(await compiled).toMatchObject({ kind: "failed" });
});

it("survives a compiler that writes something else", async () => {
  const path = writeCompiler('console.log("a greeting"); process.exit();');
  const { compile } = new SourceCompiler(systemClock, { ...patient, findCompiler: () => path });
  expect(await compile(main)).toEqual({ kind: "failed", reason: "the compiler ended without a result" });
});

it("says which package is missing", async () => {
  const { compile } = new SourceCompiler(systemClock, { findCompiler: () => undefined });
  expect(await compile(main)).toEqual({ kind: "absent", package: "@ton/tolk-js" });
});
