import { readFileSync, statSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import type { AbiTarget, AddedAbi } from "../../contracts/AbiLibrary.ts";
import { readAbiFile } from "../../contracts/abi/files/readAbiFile.ts";
import { joinSources } from "../../contracts/abi/files/sourceText.ts";
import { systemClock } from "../../lib/clock.ts";
import { toPrintable } from "../../lib/printable.ts";
import { findAddress } from "../../model/Address.ts";
import { findHash, hashToBase64 } from "../../model/Hash.ts";
import type { Terminal } from "../Command.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { settingsFor } from "../config.ts";
import { makeDataFolder } from "../dataFolder.ts";
import { AppError } from "../errors.ts";
import { option, textsArg } from "../options.ts";
import { AbiFolder } from "../service/parts/AbiFolder.ts";
import { notWords } from "../terminal/commandLine.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";
import { formatAbiTypes } from "./formatAbiTypes.ts";
import { naming, readAbiTexts } from "./readAbiTexts.ts";

const hashes = textsArg("hashes of codes in hex or base64, joined by commas", findHash);
const accounts = textsArg("addresses joined by commas", (text) => findAddress(text)?.address);
const paths = textsArg("files joined by commas", (text) => text);
const names = textsArg("names of interfaces joined by commas", (text) => text);

const ownOptions = {
  codeHash: option(hashes, "", "With add: codes that the ABI is for.", { value: "HASHES" }),
  address: option(accounts, "", "With add: accounts that the ABI is for.", { value: "ADDRESSES" }),
  interface: option(names, "", "With add: interfaces that the ABI is for, such as jetton_wallet.", { value: "NAMES" }),
  source: option(paths, "", "With add: the contract's source in Tolk, the file that is compiled first.", {
    value: "FILES",
  }),
  ...jsonOption,
};

export const abi = declareCommand({
  name: "abi",
  summary:
    "Add, list or remove ABIs of contracts, which a running server applies within a second; or write one as TypeScript.",
  usage: ["add FILE|FOLDER", "list", "remove ID", "types FILE"],
  words: ["add", "list", "remove", "types"],
  examples: [
    "tongate abi add build/Counter/Counter_Counter.abi --address EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
    "tongate abi add counter.json --source contracts/counter.tolk,contracts/errors.tolk",
    "tongate abi add build",
    "tongate abi list",
    "tongate abi remove 1f2e3d4c5b",
    "tongate abi types counter.json > counter.ts",
  ],
  options: ownOptions,
  settings: settingsFor("data"),
  run: async (terminal, { config, words, own }) => {
    const [action, subject, ...more] = words;
    if (action === "types" && subject !== undefined && more.length === 0) return writeTypes(terminal, subject);
    makeDataFolder(config.data);
    const folder = new AbiFolder(config.data, systemClock);
    const { json, codeHash, address, interface: interfaces, source } = own;
    const target = { addresses: address, codeHashes: codeHash, interfaces };
    if (action === "add" && subject !== undefined && more.length === 0)
      addAll(terminal, folder, { path: subject, target, source: readSource(source) }, json);
    else if (action === "list" && subject === undefined) listAll(terminal, folder, json);
    else if (action === "remove" && subject !== undefined && more.length === 0) removeOne(terminal, folder, subject);
    else throw new AppError("app/usage", `abi takes "add FILE", "list", "remove ID" or "types FILE"${notWords(words)}`);
  },
});

interface Addition {
  readonly path: string;
  readonly target: AbiTarget;
  readonly source: string | undefined;
}

function addAll(terminal: Terminal, folder: AbiFolder, { path, target, source }: Addition, json: boolean): void {
  const texts = readAbiTexts(path);
  if (source !== undefined && texts.length > 1)
    throw new AppError("app/usage", `${path} has ${texts.length} ABIs; --source is for one`);
  if (texts.length === 0)
    throw new AppError("app/usage", `${path} has no ABI: give a .abi or .json file, or a build folder`);
  // Either all are added or none.
  for (const { path: file, text } of texts) naming(file, () => readAbiFile(text));
  const added = texts.map(({ path: file, text, codeHash }) => {
    const codeHashes = codeHash === undefined ? target.codeHashes : [...target.codeHashes, codeHash];
    return naming(file, () => folder.add(text, { ...target, codeHashes }, source));
  });
  writeFacts(terminal, { json }, added.map(factsOf), () => added.map((each) => `added ${lineOf(each)}\n`).join(""));
}

/** Largest source, as `POST /localnet/abi` has it. */
const maxSource = 1 << 20;

/** The files of a source as one text, named as they stand beside the first one. */
function readSource(files: readonly string[]): string | undefined {
  const [first] = files;
  if (first === undefined) return undefined;
  const texts = files.map((file) => {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
      throw new AppError("app/usage", `${file} is not a file`);
    return { name: relative(dirname(first), file).replaceAll(sep, "/"), text: readFileSync(file, "utf8") };
  });
  const source = joinSources(texts);
  if (source.length > maxSource) throw new AppError("app/usage", `the source has more than ${maxSource} characters`);
  return source;
}

/** For `client.contract(address, abi)` of the package tongate-client. */
function writeTypes(terminal: Terminal, path: string): void {
  const [file, ...others] = readAbiTexts(path);
  if (file === undefined || others.length > 0) throw new AppError("app/usage", `${path} is not one ABI file`);
  terminal.write(formatAbiTypes(naming(path, () => readAbiFile(file.text)).abi));
}

function listAll(terminal: Terminal, folder: AbiFolder, json: boolean): void {
  const added = folder.library().list();
  const bad = folder.listBad();
  writeFacts(terminal, { json }, { abis: added.map(factsOf), bad }, () =>
    [
      ...added.map((each) => `${lineOf(each)}\n`),
      ...bad.map(({ file, reason }) => `left out: ${toPrintable(`${file}: ${reason}`)}\n`),
    ].join(""),
  );
}

function removeOne(terminal: Terminal, folder: AbiFolder, id: string): void {
  if (!folder.remove(id)) throw new AppError("app/usage", `there is no ABI ${id}; "tongate abi list" shows all`);
  terminal.writeError(`removed ${id}\n`);
}

function factsOf({ id, abi: { name }, target }: AddedAbi): unknown {
  const { addresses, codeHashes, interfaces } = target;
  return { id, name, addresses, code_hashes: codeHashes.map(hashToBase64), interfaces };
}

function lineOf({ id, abi: { name }, target }: AddedAbi): string {
  const { addresses, codeHashes, interfaces } = target;
  const found = [...addresses, ...codeHashes.map(hashToBase64), ...interfaces];
  return toPrintable(
    `${id}  ${name}  ${found.length === 0 ? "for nothing: give --code-hash or --address" : found.join(" ")}`,
  );
}
