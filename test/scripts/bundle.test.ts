import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import { expect, it, onTestFinished } from "vitest";
import type { Instruction } from "../../src/tvm/machine/instruction.ts";

interface Chunk {
  readonly fileName: string;
  readonly imports?: readonly string[];
}

const root = join(import.meta.dirname, "../..");
const urlOf = (path: string) => pathToFileURL(join(root, path)).href;
const { refuseCircles }: { refuseCircles(chunks: readonly Chunk[]): void } = await import(urlOf("scripts/bundle.mjs"));
const { dropMnemonics }: { dropMnemonics(): Plugin } = await import(urlOf("scripts/editSources.mjs"));

it("refuses chunks that import each other in a circle, and no others", () => {
  const shared = { fileName: "shared.js", imports: ["cells.js"] };
  const cells = { fileName: "cells.js", imports: ["node:crypto"] };
  const first = { fileName: "first.js", imports: ["cells.js", "shared.js"] };
  const text = { fileName: "page.css" };
  expect(() => refuseCircles([first, shared, cells, text])).not.toThrow();
  expect(() => refuseCircles([first, shared, { ...cells, imports: ["first.js"] }])).toThrow(
    "chunks import each other: first.js → cells.js → first.js",
  );
});

/** The instructions as a bundle with these plugins has them. */
async function bundleInstructions(folder: string, name: string, plugins: readonly Plugin[]) {
  const input = join(root, "src/tvm/machine/interpreter/instructions.ts");
  const build = await rolldown({ input, platform: "node", cwd: root, plugins: [...plugins] });
  const file = join(folder, `${name}.mjs`);
  await build.write({ file, codeSplitting: false });
  await build.close();
  const { instructions }: { readonly instructions: readonly Instruction[] } = await import(pathToFileURL(file).href);
  return instructions;
}

/** What the machine takes of an instruction: all but its name, and how its operands are shown. */
function formOf({ first, last, bits, args, tail, since, need, gas, run }: Instruction) {
  const raw = [0, 1, 3, 7, 15, 255];
  return {
    ...{ first, last, bits, since, need, gas, run: String(run) },
    args: args.map((arg) => [arg.bits, raw.map((each) => arg.decode(each))]),
    tail: tail && [String(tail.size), String(tail.decode)],
  };
}

it("drops the names of instructions from clients, and nothing that the machine uses", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const whole = await bundleInstructions(folder, "whole", []);
  const bare = await bundleInstructions(folder, "bare", [dropMnemonics()]);
  expect(whole.length).toBeGreaterThan(900);
  expect(bare.map(formOf)).toEqual(whole.map(formOf));
  const named = (list: readonly Instruction[]) => list.filter(({ name }) => name.length > 3).length;
  expect(named(bare)).toBeLessThan(named(whole) / 4);
});
