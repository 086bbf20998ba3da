import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/app/Command.ts";
import { commands } from "../../../src/app/commands/list.ts";
import { option } from "../../../src/app/options.ts";
import { helpFor, refuseArguments, runCommandLine } from "../../../src/app/terminal/commandLine.ts";
import { boolArg, oneOfArg, textArg } from "../../../src/lib/kit/basicArgs.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

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
  it("runs the named command with the rest, or the first command without a name", async () => {
    expect(await answer("first", "1", "--x")).toBe("first(1,--x)");
    expect(await answer()).toBe("first()");
  });

  it("passes options without a command to the first one", async () => {
    expect(await answer("--network", "mainnet")).toBe("first(--network,mainnet)");
    expect(await answer("--x", "--help")).toMatch(/^tongate first: /);
  });

  it.each(["--help", "-h", "help"])("lists the commands for %s", async (flag) => {
    expect(await answer(flag)).toBe(
      "Usage: tongate [COMMAND] [OPTIONS]\n\nCommands:\n  first   Do the first thing.\n  second  Do the first thing.\n\ntongate help COMMAND shows the options and examples of a command.\n",
    );
  });

  it("explains one command by its examples", async () => {
    expect(await answer("first", "1", "--help")).toBe(
      "tongate first: Do the first thing.\n\nExamples:\n  tongate first 1\n",
    );
  });

  it("explains a command named after help, and rejects an unknown one", async () => {
    expect(await answer("help", "first")).toBe(await answer("first", "--help"));
    await expect(answer("help", "secnod")).rejects.toMatchObject({
      message: 'unknown command "secnod"; did you mean second?',
    });
  });

  it("lists its own options and its settings, with allowed values and defaults", async () => {
    const terminal = recordTerminal();
    const options = { amount: option(textArg(), undefined, "How much.", { value: "COINS" }) };
    const settings = {
      maxHeight: option(
        textArg(),
        5,
        "How high, in so many words that they do not fit into a line of eighty characters.",
      ),
      waitMs: option(textArg(), undefined, "How long."),
      colour: option(oneOfArg(["red", "blue"]), "red", "What colour."),
      index: option(boolArg(), true, "Whether.", { isFlag: true }),
      trust: option(boolArg(), false, "Whom.", { isFlag: true }),
      plans: option(textArg(), {}, "What for.", { isFileOnly: true }),
    };
    await runCommandLine([{ ...first, options, settings }], terminal, ["first", "--help"]);
    expect(terminal.written().split("\n").slice(4)).toEqual([
      "",
      "Options:",
      "  --amount COINS  How much.",
      "",
      "Settings:",
      "  Each can also be set in tongate.json or by a variable: --log-level is",
      "  logLevel in the file and TONGATE_LOG_LEVEL as a variable.",
      "  --max-height N       How high, in so many words that they do not fit into a",
      "                       line of eighty characters. Default: 5.",
      "  --wait-ms MS         How long.",
      "  --colour WORD        What colour. One of red, blue. Default: red.",
      "  --index, --no-index  Whether.",
      "  --trust              Whom.",
      '  "plans" in the file  What for.',
      "",
    ]);
  });

  it("rejects an unknown command, and suggests similar ones or lists all", async () => {
    const refusal = { code: "app/usage", message: 'unknown command "third"; use one of: first, second' };
    await expect(answer("third")).rejects.toMatchObject(refusal);
    await expect(answer("secnod")).rejects.toMatchObject({ message: 'unknown command "secnod"; did you mean second?' });
    await expect(answer("-p")).rejects.toMatchObject({ message: "unknown option -p; options begin with two dashes" });
  });

  it("knows which help to show after an error", () => {
    const asked = (...args: string[]) => helpFor([first, second], args);
    expect([asked(), asked("--x"), asked("second", "y"), asked("third")]).toEqual([
      ...["first --help", "first --help", "second --help", "--help"],
    ]);
  });

  it("rejects arguments for a command without arguments", async () => {
    const refusal = { code: "app/usage", message: 'second takes no arguments, not "a b"' };
    await expect(answer("second", "a", "b")).rejects.toMatchObject(refusal);
  });
});

describe("the commands of the program", () => {
  it("have help of at most 80 columns, with a name for every value, in plain text without a terminal", async () => {
    for (const { name } of [{ name: "" }, ...commands]) {
      const terminal = recordTerminal();
      await runCommandLine(commands, terminal, name === "" ? ["help"] : ["help", name]);
      const lines = terminal.written().split("\n");
      expect(lines.filter((line) => line.length > 80 || line.endsWith(" "))).toEqual([]);
      // A flag and its value are in one line.
      expect(terminal.written()).not.toMatch(/(?:--[a-z-]+|>) \\\n +(?!--)\S/);
      // Every heading has lines below it.
      expect(terminal.written()).not.toMatch(/:\n\n/);
      expect(terminal.written()).not.toContain("\u001b");
      const flags = lines.flatMap((line) => /^ {2}(--[a-z-]+(?:[ ,]\S+)*)/.exec(line)?.[1] ?? []);
      for (const flag of flags) expect(flag).toMatch(/^--[a-z-]+(?: [A-Z:]+|, --no-[a-z-]+)?$/);
    }
  });

  it("mark headings at a terminal", async () => {
    const terminal = { ...recordTerminal(), hasColours: true };
    await runCommandLine(commands, terminal, ["help"]);
    expect(terminal.written().split("\n")[0]).toBe("\u001b[1mUsage:\u001b[0m tongate [COMMAND] [OPTIONS]");
  });

  it("have different names, and examples that start with the program", () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
    for (const { examples } of commands) {
      expect(examples.every((example) => /\btongate\b/.test(example))).toBe(true);
      expect(examples.length).toBeGreaterThan(0);
    }
  });
});
