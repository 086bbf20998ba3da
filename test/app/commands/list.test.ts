import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../../src/app/commandLine.ts";
import { commands } from "../../../src/app/commands/list.ts";
import { recordTerminal } from "../../kit/recordTerminal.ts";

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

  it("says what is there, naming every room that stands", async () => {
    const rooms = readdirSync(join(root, "src"));
    const said = await answer("about");
    const named = said.match(/Rooms in this build: (.*)\./)?.[1]?.split(", ");
    expect(named?.toSorted()).toEqual(rooms.toSorted());
  });
});
