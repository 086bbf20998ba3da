import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { commands } from "../../../src/app/commands/list.ts";
import { formatCompletion, type Shell, shells } from "../../../src/app/terminal/completion.ts";

const folder = mkdtempSync(join(tmpdir(), "tongate-completion-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Whether the shell is installed; prints a line about skipped checks otherwise. */
function hasShell(shell: Shell): boolean {
  const isThere = spawnSync(shell, ["-c", "exit 0"]).status === 0;
  if (!isThere) process.stdout.write(`${shell} absent: its completion is only compared by name\n`);
  return isThere;
}

function scriptOf(shell: Shell): string {
  const path = join(folder, `tongate.${shell}`);
  writeFileSync(path, formatCompletion(shell, commands));
  return path;
}

/** The completions of bash for these words; the last one is being typed. */
function offerOfBash(...words: string[]): readonly string[] {
  const quoted = ["tongate", ...words].map((word) => `'${word}'`).join(" ");
  const lines = [
    `source ${scriptOf("bash")}`,
    `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}`,
    "_tongate",
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ];
  const { stdout, stderr, status } = spawnSync("bash", ["-c", lines.join("\n")], { encoding: "utf8", cwd: folder });
  expect([stderr, status]).toEqual(["", 0]);
  return stdout.split("\n").filter((line) => line !== "");
}

/** The completions of fish for a command line. */
function offerOfFish(line: string): readonly string[] {
  const script = `source ${scriptOf("fish")}; complete -C '${line}'`;
  const { stdout } = spawnSync("fish", ["--no-config", "-c", script], { encoding: "utf8", cwd: folder });
  return stdout.split("\n").flatMap((each) => (each === "" ? [] : [each.split("\t")[0] ?? ""]));
}

const names = commands.map(({ name }) => name);

describe("completion in bash", () => {
  it("offers commands, and the options of the default command", () => {
    expect(offerOfBash("")).toEqual(expect.arrayContaining([...names, "help", "--network"]));
    expect(offerOfBash("fau")).toEqual(["faucet"]);
    expect(offerOfBash("--net")).toEqual(["--network"]);
  });

  it("offers the words and options of a command", () => {
    expect(offerOfBash("index", "st")).toEqual(["status"]);
    expect(offerOfBash("keys", "add", "shop", "--pl")).toEqual(["--plan"]);
    expect(offerOfBash("help", "doc")).toEqual(["doctor"]);
    expect(offerOfBash("completion", "")).toEqual([...shells, "--help"]);
  });

  it("offers the words of an option, and files and folders", () => {
    expect(offerOfBash("serve", "--explorer", "")).toEqual(["auto", "on", "off"]);
    expect(offerOfBash("--log-level", "wa")).toEqual(["warn"]);
    expect(offerOfBash("serve", "--config", "tongate.ba")).toEqual(["tongate.bash"]);
    expect(offerOfBash("serve", "--data", "tongate.ba")).toEqual([]);
    expect(offerOfBash("serve", "--port", "")).toEqual([]);
  });
});

describe("completion in zsh and fish, where they are installed", () => {
  it("is a valid zsh script", () => {
    if (!hasShell("zsh")) return;
    const { stderr, status } = spawnSync("zsh", ["-n", scriptOf("zsh")], { encoding: "utf8" });
    expect([stderr, status]).toEqual(["", 0]);
  });

  it("offers commands, their words and the words of options", () => {
    if (!hasShell("fish")) return;
    expect(offerOfFish("tongate fau")).toEqual(["faucet"]);
    expect(offerOfFish("tongate index st")).toEqual(["status"]);
    expect(offerOfFish("tongate serve --explorer ")).toEqual(["auto", "off", "on"]);
  });
});

describe("completion scripts", () => {
  it.each(shells)("of %s name every command and option", (shell) => {
    const script = formatCompletion(shell, commands);
    const flags = commands.flatMap(({ options = {}, settings = {} }) =>
      Object.entries({ ...options, ...settings }).flatMap(([name, { isFileOnly }]) => (isFileOnly ? [] : [name])),
    );
    const spelled = flags.map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
    expect([...names, ...spelled].filter((word) => !script.includes(word))).toEqual([]);
  });
});
