import { describe, expect, it } from "vitest";
import type { Command } from "../../src/app/Command.ts";
import { refuseArguments, runCommandLine } from "../../src/app/commandLine.ts";
import { commands } from "../../src/app/commands/list.ts";
import { option } from "../../src/app/options.ts";
import { textArg } from "../../src/lib/kit/basicArgs.ts";
import { recordTerminal } from "../kit/recordTerminal.ts";

const first: Command = {
  name: "first",
  summary: "Do the first thing.",
  examples: ["tongate first 1"],
  run: async (terminal, args) => terminal.write(`first(${args.join(",")})`),
};
const second: Command = {
  ...first,
  name: "second",
  run: async (_terminal, args) => refuseArguments("second", args),
};

async function answer(...args: string[]): Promise<string> {
  const terminal = recordTerminal();
  await runCommandLine([first, second], terminal, args);
  return terminal.written();
}

describe("a command line", () => {
  it("runs the named command with the rest, and the first command when nothing is named", async () => {
    expect(await answer("first", "1", "--x")).toBe("first(1,--x)");
    expect(await answer()).toBe("first()");
  });

  it("takes options without a command for those of the first one", async () => {
    expect(await answer("--network", "mainnet")).toBe("first(--network,mainnet)");
    expect(await answer("--x", "--help")).toMatch(/^tongate first: /);
  });

  it.each(["--help", "-h", "help"])("lists the commands for %s", async (flag) => {
    expect(await answer(flag)).toBe(
      "Usage: tongate [command]\n\n  first   Do the first thing.\n  second  Do the first thing.\n\ntongate <command> --help tells more.\n",
    );
  });

  it("explains one command by its examples", async () => {
    expect(await answer("first", "1", "--help")).toBe(
      "tongate first: Do the first thing.\n\nExamples:\n  tongate first 1\n",
    );
  });

  it("lists the options of a command that has some, with what they are when nobody sets them", async () => {
    const terminal = recordTerminal();
    const options = {
      maxHeight: option(textArg(), 5, "How high."),
      plans: option(textArg(), {}, "What for.", { isFileOnly: true }),
    };
    await runCommandLine([{ ...first, options }], terminal, ["first", "--help"]);
    expect(terminal.written().split("\n").slice(4)).toEqual([
      "",
      "Options, also as TONGATE_… and in tongate.json:",
      "  --max-height         How high. Default: 5.",
      '  "plans" in the file  What for.',
      "",
    ]);
  });

  it("refuses an unknown command by its name, telling which there are", async () => {
    const refusal = { code: "app/usage", message: 'unknown command "third"; there are: first, second' };
    await expect(answer("third")).rejects.toMatchObject(refusal);
  });

  it("refuses arguments for a command that takes none", async () => {
    const refusal = { code: "app/usage", message: '"second" takes no arguments, not "a b"' };
    await expect(answer("second", "a", "b")).rejects.toMatchObject(refusal);
  });
});

describe("the commands of the program", () => {
  it("have different names, and examples that begin with the program", () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
    for (const { examples } of commands) {
      expect(examples.every((example) => /^tongate\b/.test(example))).toBe(true);
      expect(examples.length).toBeGreaterThan(0);
    }
  });
});
