import { describe, expect, it } from "vitest";
import type { Command } from "../../src/app/Command.ts";
import { helpFor, refuseArguments, runCommandLine } from "../../src/app/commandLine.ts";
import { commands } from "../../src/app/commands/list.ts";
import { option } from "../../src/app/options.ts";
import { boolArg, oneOfArg, textArg } from "../../src/lib/kit/basicArgs.ts";
import { recordTerminal } from "../kit/suite/recordTerminal.ts";

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
      "Usage: tongate [command]\n\n  first   Do the first thing.\n  second  Do the first thing.\n\ntongate <command> --help shows more.\n",
    );
  });

  it("explains one command by its examples", async () => {
    expect(await answer("first", "1", "--help")).toBe(
      "tongate first: Do the first thing.\n\nExamples:\n  tongate first 1\n",
    );
  });

  it("lists its own options and its settings, each with its allowed values and its default", async () => {
    const terminal = recordTerminal();
    const options = { amount: option(textArg(), undefined, "How much.") };
    const settings = {
      maxHeight: option(textArg(), 5, "How high."),
      colour: option(oneOfArg(["red", "blue"]), "red", "What colour."),
      index: option(boolArg(), true, "Whether.", { isFlag: true }),
      trust: option(boolArg(), false, "Whom.", { isFlag: true }),
      plans: option(textArg(), {}, "What for.", { isFileOnly: true }),
    };
    await runCommandLine([{ ...first, options, settings }], terminal, ["first", "--help"]);
    expect(terminal.written().split("\n").slice(4)).toEqual([
      "",
      "Options:",
      "  --amount  How much.",
      "",
      'Settings, also in tongate.json and as variables: --log-level is "logLevel" there, and TONGATE_LOG_LEVEL.',
      "  --max-height         How high. Default: 5.",
      "  --colour             What colour. One of red, blue. Default: red.",
      "  --index, --no-index  Whether.",
      "  --trust              Whom.",
      '  "plans" in the file  What for.',
      "",
    ]);
  });

  it("refuses an unknown command by its name, telling which was meant or which there are", async () => {
    const refusal = { code: "app/usage", message: 'unknown command "third"; there are: first, second' };
    await expect(answer("third")).rejects.toMatchObject(refusal);
    await expect(answer("secnod")).rejects.toMatchObject({ message: 'unknown command "secnod"; did you mean second?' });
    await expect(answer("-p")).rejects.toMatchObject({ message: 'unknown option "-p"; options begin with two dashes' });
  });

  it("knows whose help is needed after a refusal", () => {
    const asked = (...args: string[]) => helpFor([first, second], args);
    expect([asked(), asked("--x"), asked("second", "y"), asked("third")]).toEqual([
      ...["first --help", "first --help", "second --help", "--help"],
    ]);
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
