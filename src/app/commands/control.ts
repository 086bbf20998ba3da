import { readFileSync } from "node:fs";
import { toBase64 } from "../../lib/bytes.ts";
import { storageError } from "../../lib/files/FileSystem.ts";
import { parseJson } from "../../lib/json.ts";
import { toPrintable } from "../../lib/printable.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { AppError } from "../errors.ts";
import { askControl, type LocalControl, listControls } from "../local/localControl.ts";
import { suggest } from "../nearestName.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

export const control = declareCommand({
  name: "control",
  summary: "Use any control of the running local network; without a name, list them.",
  usage: ["[NAME [ARGUMENT=VALUE|ARGUMENT=@FILE]…]"],
  examples: [
    "tongate control",
    "tongate control setBalance address=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N balance=5",
    "tongate control setCode address=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N code=@contract.boc",
    "tongate control automaticBlocks mode=message --port 9000",
  ],
  options: jsonOption,
  server: "local",
  run: async (terminal, { config, words, own }) => {
    const [name, ...pairs] = words;
    const controls = await listControls(config);
    if (name === undefined) {
      writeFacts(terminal, own, controls, () => controls.map(describe).join(""));
      return;
    }
    const found = controls.find((each) => each.name === name);
    if (found === undefined) {
      const names = controls.map((each) => each.name);
      throw new AppError("app/usage", `unknown control "${name}"; ${suggest(name, names)}`);
    }
    const facts = await askControl(config, found, Object.fromEntries(pairs.map((pair) => readPair(found, pair))));
    writeFacts(terminal, own, facts, () => formatAnswer(facts));
  },
});

function describe({ name, summary, args }: LocalControl): string {
  const words = args.map((arg) => (arg.isRequired ? `${arg.name}=…` : `[${arg.name}=…]`));
  return `${[name, ...words].join(" ")}\n  ${summary}\n`;
}

/** One argument of the command line; a list has its items between commas. */
function readPair({ name: control, args }: LocalControl, pair: string): readonly [string, unknown] {
  const [, name = pair, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
  const arg = args.find((each) => each.name === name);
  if (arg === undefined || value === undefined) {
    const known = args.length === 0 ? "no arguments" : args.map((each) => `${each.name}=…`).join(" ");
    throw new AppError("app/usage", `${control} takes ${known}, not "${pair}"`);
  }
  if (value.startsWith("@")) return [name, readFile(value.slice(1), name)];
  return [name, arg.isList ? value.split(",").filter((item) => item !== "") : value];
}

/** The field of a JSON document, a text of base64, or bytes as base64. */
function readFile(path: string, name: string): unknown {
  const bytes = readBytes(path);
  const text = bytes.toString("utf8").trim();
  if (text.startsWith("{")) return Object(parseJson(text))[name];
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? text : toBase64(bytes);
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw storageError("read", path, error);
  }
}

function formatAnswer(facts: object): string {
  if (Array.isArray(facts)) return facts.map((each) => `${formatValue(each)}\n`).join("") || "none\n";
  const known = Object.entries(facts).filter(([name]) => !name.startsWith("@"));
  return known.map(([name, value]) => `${name}: ${formatValue(value)}\n`).join("");
}

function formatValue(value: unknown): string {
  return toPrintable(typeof value === "object" ? JSON.stringify(value) : String(value));
}
