import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../../src/app/commandLine.ts";
import { commands } from "../../../src/app/commands/list.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

const root = join(import.meta.dirname, "../../..");

async function answer(...args: string[]): Promise<string> {
  const terminal = recordTerminal();
  await runCommandLine(commands, terminal, args);
  return terminal.written();
}

describe("the program", () => {
  it.each(["version", "--version", "-v"])("prints the version of the package for %s", async (word) => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    expect(await answer(word)).toBe(`${version}\n`);
  });

  it.each(commands)("explains every option that the examples of $name use", async ({ name, examples }) => {
    const lines = (await answer(name, "--help")).split("\n").filter((line) => line.startsWith("  --"));
    const explained = new Set(lines.flatMap((line) => line.trim().split("  ")[0]?.split(/, | /) ?? []));
    const used = examples.flatMap((example) => example.match(/--[a-z-]+/g) ?? []);
    expect(used.filter((flag) => !explained.has(flag))).toEqual([]);
  });
});
