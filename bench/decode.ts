import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Cell as CoreCell } from "@ton/core";
import { readRoot } from "../src/cell/boc.ts";
import { decodeBody } from "../src/contracts/decode.ts";
import { type BenchContext, type Benchmark, benchmark } from "./kit/benchmark.ts";

/** Every body of the recorded traces, once per message. */
export function benchmarks({ corpus, leaveOut }: BenchContext): readonly Benchmark[] {
  if (corpus === undefined) {
    leaveOut("no corpus");
    return [];
  }
  const bags = readBags(join(corpus, "traces"));
  const cells = bags.map((bag) => readRoot(bag));
  // Ingest has hashed a block's cells before it decodes their bodies.
  for (const cell of cells) cell.hash();
  const answers = cells.map((cell) => JSON.stringify(decodeBody(cell)));
  return [
    benchmark({
      name: `decode ${cells.length} bodies`,
      group: "bodies",
      unit: "bodies/s",
      amount: cells.length,
      baseline: { name: "JSON.parse of the answers", run: () => forEach(answers, (answer) => JSON.parse(answer)) },
      subject: { run: () => forEach(cells, decodeBody) },
      mark: 0.2,
    }),
    benchmark({
      name: `read and decode ${bags.length} bodies`,
      group: "bodies",
      unit: "bodies/s",
      amount: bags.length,
      baseline: { name: "@ton/core, only reading the bags", run: () => forEach(bags, (bag) => CoreCell.fromBoc(bag)) },
      subject: { run: () => forEach(bags, (bag) => decodeBody(readRoot(bag))) },
      mark: 5,
    }),
  ];
}

/** Keeps only the last result, so that the others can be collected at once, like on a server. */
function forEach<T>(list: readonly T[], run: (item: T) => unknown): unknown {
  let last: unknown;
  for (const item of list) last = run(item);
  return last;
}

function readBags(folder: string): Buffer[] {
  const bags: Buffer[] = [];
  const keep = (value: unknown, key: string): void => {
    if (key === "body" && typeof value === "string" && value.startsWith("te6")) bags.push(Buffer.from(value, "base64"));
  };
  for (const path of readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()) {
    JSON.parse(readFileSync(join(folder, path), "utf8"), (key, value) => {
      keep(value, key);
      return value;
    });
  }
  return bags;
}
