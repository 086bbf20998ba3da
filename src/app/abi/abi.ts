import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { AbiTarget, AddedAbi } from "../../contracts/AbiLibrary.ts";
import { findCompiledHash, readAbiFile } from "../../contracts/abi/files/readAbiFile.ts";
import { systemClock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { toPrintable } from "../../lib/printable.ts";
import { findAddress } from "../../model/Address.ts";
import { findHash, type Hash, hashToBase64 } from "../../model/Hash.ts";
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

const hashes = textsArg("hashes of codes in hex or base64, joined by commas", findHash);
const accounts = textsArg("addresses joined by commas", (text) => findAddress(text)?.address);
const names = textsArg("names of interfaces joined by commas", (text) => text);

const ownOptions = {
  codeHash: option(hashes, "", "With add: codes that the ABI is for.", { value: "HASHES" }),
  address: option(accounts, "", "With add: accounts that the ABI is for.", { value: "ADDRESSES" }),
  interface: option(names, "", "With add: interfaces that the ABI is for, such as jetton_wallet.", { value: "NAMES" }),
  ...jsonOption,
};

export const abi = declareCommand({
  name: "abi",
  summary:
    "Add, list or remove ABIs of contracts, which a running server applies within a second; or write one as TypeScript.",
  usage: ["add FILE", "list", "remove ID", "types FILE"],
  words: ["add", "list", "remove", "types"],
  examples: [
    "tongate abi add build/Counter/Counter_Counter.abi --address EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
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
    const { json, codeHash, address, interface: interfaces } = own;
    const target = { addresses: address, codeHashes: codeHash, interfaces };
    if (action === "add" && subject !== undefined && more.length === 0) addAll(terminal, folder, subject, target, json);
    else if (action === "list" && subject === undefined) listAll(terminal, folder, json);
    else if (action === "remove" && subject !== undefined && more.length === 0) removeOne(terminal, folder, subject);
    else throw new AppError("app/usage", `abi takes "add FILE", "list", "remove ID" or "types FILE"${notWords(words)}`);
  },
});

interface AbiText {
  readonly path: string;
  readonly text: string;
  /** The hash of the code that Blueprint compiled to the same name. */
  readonly codeHash: Hash | undefined;
}

function addAll(terminal: Terminal, folder: AbiFolder, path: string, target: AbiTarget, json: boolean): void {
  const texts = readTexts(path);
  if (texts.length === 0)
    throw new AppError("app/usage", `${path} has no ABI: give a .abi or .json file, or a build folder`);
  const added = texts.map(({ path: file, text, codeHash }) => {
    const codeHashes = codeHash === undefined ? target.codeHashes : [...target.codeHashes, codeHash];
    return addOne(folder, file, text, { ...target, codeHashes });
  });
  writeFacts(terminal, { json }, added.map(factsOf), () => added.map((each) => `added ${lineOf(each)}\n`).join(""));
}

function addOne(folder: AbiFolder, path: string, text: string, target: AbiTarget): AddedAbi {
  return naming(path, () => folder.add(text, target));
}

/** For `client.contract(address, abi)` of the package tongate-client. */
function writeTypes(terminal: Terminal, path: string): void {
  const [file, ...others] = readTexts(path);
  if (file === undefined || others.length > 0) throw new AppError("app/usage", `${path} is not one ABI file`);
  terminal.write(formatAbiTypes(naming(path, () => readAbiFile(file.text)).abi));
}

/** Refusals of a file name it. */
function naming<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isCoded(error) || !error.code.startsWith("abi/")) throw error;
    throw new AppError("app/usage", `${path}: ${error.message} (${error.code})`, { cause: error });
  }
}

/** A file, or the ABIs of a build folder with the hashes of their codes. */
function readTexts(path: string): readonly AbiText[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new AppError("app/usage", `${path} does not exist`);
  if (!stat.isDirectory()) return [{ path, text: readFileSync(path, "utf8"), codeHash: undefined }];
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
  const compiled = new Map(
    files
      .filter((file) => file.endsWith(".compiled.json"))
      .flatMap((file) => {
        const hash = findCompiledHash(readFileSync(file, "utf8"));
        return hash === undefined ? [] : [[basename(file, ".compiled.json"), hash] as const];
      }),
  );
  const abis = files.filter((file) => /\.abi(?:\.json)?$/.test(file));
  return abis.map((file) => ({
    path: file,
    text: readFileSync(file, "utf8"),
    codeHash: compiled.get(contractOf(file)),
  }));
}

/** Tact names its files `Project_Contract.abi`; Blueprint compiles a contract to `Contract.compiled.json`. */
function contractOf(file: string): string {
  return basename(file)
    .replace(/\.abi(?:\.json)?$/, "")
    .replace(/^.*_/, "");
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
