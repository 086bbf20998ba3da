import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../../src/cell/Builder.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import {
  type CompiledListing,
  makeSourceMap,
  type SourceEntry,
  type SourceMap,
} from "../../../../src/contracts/abi/source/SourceMap.ts";
import { runAtOnce } from "../../../../src/lib/sharing/steps.ts";
import { supportedGlobalVersion } from "../../../../src/tvm/globalVersion.ts";
import { openMachine } from "../../../../src/tvm/machine/interpreter/Machine.ts";
import type { StackValue } from "../../../../src/tvm/machine/StackValue.ts";
import { listInstructions } from "../../../kit/contracts/listInstructions.ts";
import { listTolk } from "../../../kit/contracts/listTolk.ts";
import { markedProgram } from "../../../kit/contracts/markedTolk.ts";
import { someOf } from "../../../kit/suite/everything.ts";

const folders = ["src/localnet/codes", "src/localnet/codes/demo", "test/fixtures", "test/kit/localnet"];
const sources = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: folder === "test/fixtures", encoding: "utf8" })
    .filter((name) => name.endsWith(".tolk"))
    .map((name) => join(folder, name)),
);
const orders = "test/fixtures/contracts/debug/orders.tolk";

interface Mapped {
  readonly listing: CompiledListing;
  readonly map: SourceMap;
}

async function mapOf(entry: string, read?: (name: string) => string): Promise<Mapped> {
  const listing = await listTolk(entry, read);
  const map = listing && runAtOnce(makeSourceMap(listing));
  if (listing === undefined || map === undefined) throw new Error(`${entry} has no map`);
  return { listing, map };
}

let ofOrders: Mapped;
beforeAll(async () => {
  ofOrders = await mapOf(orders);
});

/** The instructions of a code that have no line, and all. */
function countUnknown(code: Cell, map: SourceMap): readonly [unknown: number, all: number] {
  const all = listInstructions(code);
  return [all.filter(({ cell, bit, text }) => map.find(cell.hash(), bit, text) === undefined).length, all.length];
}

describe("a source map", () => {
  it("has a line of nearly every instruction of a contract", async () => {
    const counts: (readonly [string, number, number])[] = [];
    const tried = someOf(sources, (_, at) => at % 4 === 0);
    for (const path of tried) {
      const listing = await listTolk(path);
      if (listing === undefined) continue;
      const map = runAtOnce(makeSourceMap(listing));
      if (map !== undefined) counts.push([path, ...countUnknown(listing.code, map)]);
      expectCommentsInSource(listing);
    }
    const [unknown, all] = [1, 2].map((at) => counts.reduce((sum, each) => sum + Number(each[at]), 0));
    // What is left comes from the library of the compiler.
    console.log(`source maps: ${all} instructions of ${counts.length} contracts, ${unknown} without a line`);
    // The others are parts of them.
    expect(counts.length / tried.length).toBeGreaterThan(0.45);
    expect(Number(unknown) / Number(all)).toBeLessThan(0.05);
  });

  it("names the line of every instruction that a line of a random program alone has", async () => {
    await fc.assert(
      fc.asyncProperty(markedProgram, async (texts) => {
        const { listing, map } = await mapOf("main.tolk", (name) => texts.get(name) ?? "");
        expect(countUnknown(listing.code, map)[0]).toBe(0);
        for (const { cell, bit, text } of listInstructions(listing.code)) {
          const marker = /^THROWIF(?:NOT)? (\d{4})$/.exec(text)?.[1];
          const found = map.find(cell.hash(), bit, text);
          if (marker !== undefined) expect(found && map.findText(found)).toContain(` throw ${marker};`);
        }
      }),
      { numRuns: 5 },
    );
  });

  it("knows variables, functions and procedures of every step of a run", () => {
    const { listing, map } = ofOrders;
    const steps = runMethod(listing.code, 116_600, [4], map);
    const named = steps.filter(({ entry, values }) => entry?.function === "factorial" && values.n !== undefined);
    expect(named.map(({ entry, values }) => [entry?.file, entry?.line, values.n]).slice(0, 6)).toEqual([
      ["test/fixtures/contracts/debug/sums.tolk", 13, 4],
      ["test/fixtures/contracts/debug/sums.tolk", 13, 4],
      ["test/fixtures/contracts/debug/sums.tolk", 13, 4],
      ["test/fixtures/contracts/debug/sums.tolk", 16, 4],
      ["test/fixtures/contracts/debug/sums.tolk", 16, 4],
      ["test/fixtures/contracts/debug/sums.tolk", 16, 4],
    ]);
    // It multiplies what it was called with, from one up.
    const products = named.filter(({ operation }) => operation === "MUL").map(({ values }) => values.n);
    expect(products).toEqual([2, 3, 4]);
    expect([...new Set(steps.map(({ entry }) => entry?.proc))]).toEqual([undefined, "factorialOf", "factorial"]);
    expect([map.findProc(116_600), map.findProc(-1)]).toEqual(["factorialOf", undefined]);
  });

  it("leaves out what equal code of two lines shares", async () => {
    const twice = [
      "fun onInternalMessage(_: InMessage) { }",
      "get fun one(a: int): int {",
      "    return a * 77;",
      "}",
      "get fun two(a: int): int {",
      "    return a * 77;",
      "}",
    ].join("\n");
    const { listing, map } = await mapOf("main.tolk", () => twice);
    const shared = listInstructions(listing.code).filter(({ text }) => text === "MULINT 77");
    for (const { cell, bit, text } of shared) {
      const line = map.find(cell.hash(), bit, text)?.line;
      // The two are one cell, or each has its own line.
      expect(shared.length === 1 ? [undefined] : [3, 6]).toContain(line);
    }
  });
});

describe("a text that no compiler wrote", () => {
  it.each([
    ["", "nothing"],
    ["PROGRAM{\n  0 DECLMETHOD f()\n  f() PROC:<{\n", "a block without an end"],
    [`PROGRAM{\n  0 DECLMETHOD f()\n  f() PROC:<{\n${"IF:<{\n".repeat(100_000)}`, "blocks that only go deeper"],
    ["}>\n}>\n", "ends of blocks"],
    ["0 DECLMETHOD f()\nf() PROC:<{\n// 99999999: x\nDROP\n}>\n", "a line that is in no file"],
  ])("gives no line %#", (fift) => {
    const { listing } = ofOrders;
    const map = runAtOnce(makeSourceMap({ ...listing, fift }));
    const [unknown, all] = map === undefined ? [1, 1] : countUnknown(listing.code, map);
    expect(unknown).toBe(all);
  });

  it("never gives another line than that of the same instructions", () => {
    const { listing, map } = ofOrders;
    const lines = listing.fift.split("\n");
    fc.assert(
      fc.property(fc.nat(lines.length - 1), fc.constantFrom("NOP", "s1 s2 XCHG", "}>", "WHATEVER", ""), (at, word) => {
        const noisy = lines.with(at, `${lines[at]}\n${word}`).join("\n");
        const other = runAtOnce(makeSourceMap({ ...listing, fift: noisy }));
        for (const { cell, bit, text } of other === undefined ? [] : listInstructions(listing.code)) {
          const found = other?.find(cell.hash(), bit, text);
          const right = map.find(cell.hash(), bit, text);
          if (found !== undefined) expect([found.file, found.line]).toEqual([right?.file, right?.line]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("is made in many steps", () => {
    const steps = makeSourceMap(ofOrders.listing);
    let count = 1;
    for (let step = steps.next(); step.done !== true; step = steps.next()) count += 1;
    expect(count).toBeGreaterThan(ofOrders.map.size / 4);
  });

  it("has no map for code of another form", () => {
    expect(runAtOnce(makeSourceMap({ code: emptyCell, fift: "", files: [] }))).toBeUndefined();
    const other = beginCell().storeUint(0xff00, 16).storeUint(0xf4a4, 16).cell();
    expect(runAtOnce(makeSourceMap({ code: other, fift: "", files: [] }))).toBeUndefined();
  });
});

/** Every comment has a part of the line that it names. */
function expectCommentsInSource({ fift, files }: CompiledListing): void {
  for (const [, counted, text = ""] of fift.matchAll(/^ *\/\/ (\d+): (.*)$/gm)) {
    const file = files.findLast(({ lineOffset }) => lineOffset < Number(counted));
    const line = file?.text.split("\n")[Number(counted) - file.lineOffset - 1];
    if (file !== undefined) expect(line).toContain(text.trim());
  }
}

interface RunStep {
  readonly operation: string;
  readonly entry: SourceEntry | undefined;
  readonly values: Readonly<Record<string, StackValue>>;
}

function runMethod(code: Cell, method: number, args: readonly StackValue[], map: SourceMap): readonly RunStep[] {
  const steps: RunStep[] = [];
  const machine = openMachine({
    code,
    stack: [...args, method],
    data: emptyCell,
    c7: [[]],
    gas: { limit: 100_000, max: 100_000, credit: 0 },
    globalVersion: supportedGlobalVersion,
    onStep: ({ cell, bit, operation, stack }) => {
      const entry = map.find(cell.hash(), bit, operation);
      const names = entry?.names ?? [];
      const values = names.flatMap((name, at) =>
        name === undefined ? [] : [[name, stack[stack.length - names.length + at] ?? null] as const],
      );
      steps.push({ operation, entry, values: Object.fromEntries(values) });
    },
  });
  machine.run(10_000);
  return steps;
}
