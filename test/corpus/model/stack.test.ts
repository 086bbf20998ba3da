import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell, type ValueOf } from "../../../src/cell/codec.ts";
import { OutList } from "../../../src/model/OutAction.ts";
import { sliceCell } from "../../../src/model/vm/VmCellSlice.ts";
import { VmStack, VmStackValue } from "../../../src/model/vm/VmStack.ts";
import type { VmValue } from "../../../src/model/vm/VmValue.ts";
import { openValue } from "../../kit/cell/openValue.ts";
import { readableValue } from "../../kit/model/readableStack.ts";

/** Reads a whole stack and checks that it stores to the same cell. */
function roundTrip(boc: unknown, place: string): VmStack {
  const cell = readRoot(Buffer.from(asText(boc), "base64"));
  const stack = loadCell(VmStack, cell);
  openValue(stack);
  expect(storeCell(VmStack, stack).hash(), place).toBe(cell.hash());
  return stack;
}

function typedValue(value: VmValue): unknown {
  switch (value.kind) {
    case "int":
      return {
        type: "num",
        value: value.value < 0n ? `-0x${(-value.value).toString(16)}` : `0x${value.value.toString(16)}`,
      };
    case "cell":
      return { type: "cell", hash: value.cell.hash().toUpperCase() };
    case "slice":
      return { type: "slice", hash: sliceCell(value.slice).hash().toUpperCase() };
    case "tuple":
      return { type: "tuple", value: value.items.map(typedValue) };
    default:
      return { type: value.kind };
  }
}

/** Cells are compared by hash, so their bytes are removed. */
function withoutBytes(printed: unknown): unknown {
  const { hash, ...value } = asRecord(printed);
  if (hash !== undefined) return { type: value.type, hash };
  return Array.isArray(value.value) ? { ...value, value: value.value.map(withoutBytes) } : value;
}

describeCorpusPart("stacks of get-methods in the corpus", "getmethods/", (folder) => {
  const files = listFiles(folder, "getmethods", ".json");
  it("exist", () => expect(files.length).toBeGreaterThan(0));
  it("are read as printed and stored unchanged", () => {
    for (const path of files) {
      for (const run of asList(asRecord(readJson(folder, path)).runs)) {
        const { expected, method } = asRecord(run);
        const { stack_boc: boc, stack } = asRecord(expected);
        if (boc === undefined || boc === null) continue;
        const place = `${path} ${String(method)}`;
        expect(roundTrip(boc, place).map(typedValue), place).toEqual(asList(stack).map(withoutBytes));
      }
    }
  });
});

describeCorpusPart("stacks of machine runs in the corpus", "tvm/*.jsonl.gz", (folder) => {
  const files = listFiles(folder, "tvm", ".jsonl.gz");
  it("exist", () => expect(files.length).toBeGreaterThan(0));
  for (const path of files) {
    it(`are read as printed and stored unchanged: ${path}`, () => {
      for (const line of readJsonLinesGz(folder, path)) {
        const { id, runs } = asRecord(line);
        for (const run of runs === undefined ? [] : asList(runs)) {
          const { in: input, in_boc: boc, versions } = asRecord(run);
          expect(roundTrip(boc, asText(id)).map(readableValue), asText(id)).toEqual(input);
          for (const outcome of Object.values(asRecord(versions))) {
            if (outcome === "same") continue;
            const { stack, stack_boc: out } = asRecord(outcome);
            if (out === undefined) continue;
            expect(roundTrip(out, asText(id)).map(readableValue), asText(id)).toEqual(stack);
          }
        }
      }
    });
  }

  it("are read as single values if the environment has one", () => {
    for (const path of listFiles(folder, "tvm", "environment.json")) {
      const boc = asRecord(readJson(folder, path)).prev_blocks_info;
      if (typeof boc !== "string") continue;
      const cell = readRoot(Buffer.from(boc, "base64"));
      expect(storeCell(VmStackValue, loadCell(VmStackValue, cell)).hash()).toBe(cell.hash());
    }
  });
});

describeCorpusPart("action lists of the corpus", "tvm/*.jsonl.gz", (folder) => {
  it("are read completely and stored unchanged", () => {
    let [count, broken] = [0, 0];
    for (const path of listFiles(folder, "tvm", ".jsonl.gz")) {
      for (const line of readJsonLinesGz(folder, path)) {
        const { id, versions, runs } = asRecord(line);
        if (runs !== undefined || versions === undefined) continue;
        for (const outcome of Object.values(asRecord(versions))) {
          const boc = typeof outcome === "string" ? undefined : asRecord(outcome).actions;
          if (typeof boc !== "string") continue;
          const cell = readRoot(Buffer.from(boc, "base64"));
          const list = findList(cell);
          if (list === undefined) {
            broken++;
            continue;
          }
          expect(storeCell(OutList, list).hash(), asText(id)).toBe(cell.hash());
          count++;
        }
      }
    }
    process.stdout.write(`action lists: ${count} read, ${broken} broken on purpose\n`);
    expect(count).toBeGreaterThan(broken * 10);
  });
});

/** A list written by a program may be invalid; it is rejected with a code, never with a crash. */
function findList(cell: Cell): ValueOf<typeof OutList> | undefined {
  try {
    return loadCell(OutList, cell);
  } catch (error) {
    expect(Object(error).code).toMatch(/^(cell|model)\//);
    return undefined;
  }
}
