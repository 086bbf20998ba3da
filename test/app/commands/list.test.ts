import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../../src/app/commands/list.ts";
import { flagOf, valueNameOf } from "../../../src/app/options.ts";
import { runCommandLine } from "../../../src/app/terminal/commandLine.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

const root = join(import.meta.dirname, "../../..");

async function answer(...args: string[]): Promise<string> {
  const terminal = recordTerminal();
  await runCommandLine(commands, terminal, args);
  return terminal.written();
}

/** Commands that use all settings, or listen themselves. */
const listening = new Set(["serve", "config", "doctor", "localnet"]);

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

  it.each(commands)("calls only numbers N in the help of $name", ({ options, settings }) => {
    const numbers = Object.entries({ ...options, ...settings }).filter(
      ([name, option]) => option.isFlag !== true && !option.isFileOnly && valueNameOf(name, option) === "N",
    );
    expect(numbers.filter(([, { arg }]) => !arg.allowed.startsWith("a whole number")).map(([name]) => name)).toEqual(
      [],
    );
  });

  it.each(commands)("names no empty default in the help of $name", async ({ name }) => {
    expect((await answer(name, "--help")).replaceAll(/\s+/g, " ")).not.toMatch(/Default: \.(?!\S)/);
  });

  it.each(commands)("suggests the nearest of all options of $name for an unknown one", async (command) => {
    const flags = Object.entries({ ...command.options, ...command.settings })
      .filter(([, { isFileOnly }]) => !isFileOnly)
      .map(([name]) => flagOf(name));
    for (const flag of [...flags, "--help"]) {
      const typo = flag.replace(/(.)(.)$/, "$2$1");
      if (typo === flag) continue;
      const terminal = recordTerminal();
      const ended = await runCommandLine(commands, terminal, [command.name, typo]).catch(({ message }) => message);
      expect(`${terminal.written()}${ended}`).toContain(`unknown option ${typo}; did you mean ${flag}?`);
    }
  });

  it.each(commands.filter(({ options }) => options !== undefined))(
    "lists the options of $name itself for an unknown one without a similar name",
    async ({ name, options = {} }) => {
      const refusal = answer(name, "--zzzzzzzz").catch((error: Error) => error.message);
      const [, listed = ""] = /^unknown option --zzzzzzzz; use one of: (.*)$/.exec(await refusal) ?? [];
      expect(listed.split(", ")).toEqual(expect.arrayContaining([...Object.keys(options).map(flagOf), "--help"]));
    },
  );

  it.each(commands.filter(({ name, settings }) => settings?.port !== undefined && !listening.has(name)))(
    "explains that the address of $name is that of the running server",
    async ({ name }) => {
      const help = (await answer(name, "--help")).replaceAll(/\s+/g, " ");
      expect(help).toContain("--port PORT Port of the running server; unset: that of the server that uses the data");
      expect(help).toContain("--host ADDRESS Address of the running server; unset: that of the server that uses");
      expect(help).not.toContain("listen on");
    },
  );

  it.each(commands.filter(({ name }) => !listening.has(name)))(
    "lists for an unknown option of $name what its help lists",
    async ({ name, options = {}, settings = {} }) => {
      const terminal = recordTerminal();
      const refusal = await runCommandLine(commands, terminal, [name, "--zzzzzzzz"]).catch(({ message }) => message);
      const [, listed = ""] = /^unknown option --zzzzzzzz; use one of: (.*)$/.exec(refusal) ?? [];
      const flags = Object.entries({ ...options, ...settings, ...options })
        .filter(([, { isFileOnly }]) => !isFileOnly)
        .flatMap(([each, { isFlag, fallback }]) =>
          isFlag && fallback === true ? [flagOf(each), flagOf(each).replace("--", "--no-")] : [flagOf(each)],
        );
      expect(new Set(listed.split(", "))).toEqual(new Set([...flags, "--help"]));
    },
  );
});
