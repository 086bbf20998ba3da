import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readBytes, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { readBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { Dictionary, makeDictionary } from "../../../src/cell/dictionary.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { type Config, ConfigParams, configFromRoot, findConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { ValidatorDescr, type ValidatorSet } from "../../../src/model/config/ValidatorSet.ts";
import { openValue } from "../../kit/cell/openValue.ts";
import { isKnownParam, loadConfigParam, storeConfigParam } from "../../kit/model/codecs/configParams.ts";
import { totalWeightOf } from "../../kit/model/codecs/totalWeight.ts";

/** A cell of the bag with this hash at the lowest level, the level of proved cells. */
function findCell(roots: readonly Cell[], hash: string): Cell {
  const waiting = [...roots];
  const cells = new Set<Cell>();
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    if (cells.has(cell)) continue;
    cells.add(cell);
    if (cell.hash(0) === hash && !cell.isExotic) return cell;
    waiting.push(...cell.refs());
  }
  throw new Error(`no cell ${hash}`);
}

function checkParams(config: Config): void {
  config.params.forEach((cell, id) => {
    const param = loadConfigParam(id, cell);
    openValue(param);
    expect(storeConfigParam(param).hash(), `parameter ${id}`).toBe(cell.hash());
    expect(param.kind, `parameter ${id}`).toBe(isKnownParam(id) ? "known" : "unknown");
  });
}

function openConfig(folder: string, path: string): Config {
  const expected = asRecord(readJson(folder, path));
  const roots = readBoc(readBytes(folder, path.replace(/\.(expected|parsed)\.json$/, ".boc")));
  return configFromRoot(findCell(roots, asText(expected.config_root_hash).toLowerCase()));
}

/** Numbers, booleans and texts of a value in the order of its fields. */
function leaves(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (value instanceof Dictionary) return value.values().flatMap(leaves);
  if (typeof value !== "object") return [String(value)];
  return Object.entries(value).flatMap(([name, inner]) => (name === "kind" ? [] : leaves(inner)));
}

/** The same for another parser's output: without constructor names and tags, only the chosen form. */
function printedLeaves(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "object") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(printedLeaves);
  const record = asRecord(value);
  if (typeof record.SumType === "string") return printedLeaves(record[record.SumType]);
  if ("label" in record) return printedLeaves(record.children ?? record.value);
  return Object.entries(record).flatMap(([name, inner]) => (name === "Magic" ? [] : printedLeaves(inner)));
}

/** Parameters that contain only numbers. */
const numeric = [6, 8, 11, 13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 29, 43] as const;
const sets = [32, 34, 36] as const;

function validatorRows(set: ValidatorSet): unknown {
  const list = set.list
    .entries()
    .map(([index, v]) => [index, v.publicKey, v.weight, v.kind === "withAddress" ? v.adnlAddress : undefined]);
  const { sinceAt, untilAt, total, main } = set;
  return { sinceAt, untilAt, total, main, totalWeight: totalWeightOf(set), list };
}

function setOf(since: unknown, until: unknown, total: unknown, main: unknown, weight: unknown, list: unknown[]) {
  return { sinceAt: since, untilAt: until, total, main, totalWeight: BigInt(String(weight)), list };
}

function actonSet(printed: unknown): unknown {
  const set = asRecord(printed);
  const list = asList(set.validators).map(asRecord);
  const rows = list.map((v) => [v.index, v.publicKey, BigInt(String(v.weight)), v.adnlAddress]);
  return setOf(set.utimeSince, set.utimeUntil, set.total, set.main, set.totalWeight, rows);
}

function opentonapiSet(printed: unknown): unknown {
  const set = asRecord(printed);
  const list = asList(set.list).map(asRecord);
  const rows = list.map((v, index) => [index, v.public_key, BigInt(String(v.weight)), v.adnl_addr]);
  return setOf(set.utime_since, set.utime_until, set.total, set.main, set.total_weight, rows);
}

function tongoSet(printed: unknown): unknown {
  const set = asRecord(asRecord(Object.values(asRecord(printed))[0]).ValidatorsExt);
  const list = Object.entries(asRecord(set.List)).map(([index, v]) => [index, asRecord(asRecord(v).ValidatorAddr)]);
  const rows = list
    .map(([index, v]) => [Number(index), asRecord(v)] as const)
    .sort(([a], [b]) => a - b)
    .map(([index, v]) => [index, asRecord(v.PublicKey).PubKey, BigInt(String(v.Weight)), v.AdnlAddr]);
  return setOf(set.UtimeSince, set.UtimeUntil, set.Total, set.Main, set.TotalWeight, rows);
}

describeCorpusPart("configurations of the corpus", "config/", (folder) => {
  const files = listFiles(folder, "config", ".expected.json");
  it("exist", () => expect(files.length).toBeGreaterThan(0));

  for (const path of files) {
    it(`finds the parameters of ${path} and stores each unchanged`, () => {
      const expected = asRecord(readJson(folder, path));
      const config = openConfig(folder, path);
      const hashes = Object.entries(asRecord(expected.params)).map(([id, p]) => [
        Number(id),
        asText(asRecord(p).cell_hash).toLowerCase(),
      ]);
      const found = config.params.entries().map(([id, cell]) => [id, cell.hash(0)]);
      expect(new Map(found as [number, string][])).toEqual(new Map(hashes as [number, string][]));
      checkParams(config);
    });

    it(`rebuilds the validator sets of ${path} into the same cells`, () => {
      const config = openConfig(folder, path);
      for (const id of sets) {
        const set = findConfigParam(config, id);
        const made = makeDictionary(uintKey(16), ValidatorDescr, set?.list.entries() ?? []);
        expect(made.root?.hash()).toBe(set?.list.root?.hash());
        if (set !== undefined) expect(set.list.count()).toBe(set.total);
      }
    });
  }

  it("round-trips a whole ConfigParams cell", () => {
    for (const path of files) {
      const { cell_hash: hash } = asRecord(readJson(folder, path));
      if (hash === undefined) continue;
      const cell = findCell(
        readBoc(readBytes(folder, path.replace(".expected.json", ".boc"))),
        asText(hash).toLowerCase(),
      );
      expect(storeCell(ConfigParams, loadCell(ConfigParams, cell)).hash()).toBe(cell.hash());
    }
  });

  for (const path of listFiles(folder, "tvm", ".boc")) {
    it(`reads every parameter of ${path}`, () => {
      for (const root of readBoc(readBytes(folder, path))) checkParams(configFromRoot(root));
    });
  }

  for (const path of listFiles(folder, "config", ".parsed.json")) {
    it(`reads the values of ${path}`, () => {
      const printed = asRecord(readJson(folder, path));
      const config = openConfig(folder, path.replace(".parsed.json", ".expected.json"));
      if ("parameters" in printed) checkActon(config, asList(printed.parameters).map(asRecord));
      else if ("ConfigParam0" in printed) checkTongo(config, printed);
      else checkOpentonapi(config, printed);
    });
  }
});

/** Not printed there: reserved flags and the newer half of the block limits. */
function shownByActon(value: unknown): unknown {
  if (value instanceof Dictionary) return value;
  const { flags: _f, collatedData: _c, importedMessageQueue: _i, ...shown } = asRecord(value);
  return shown;
}

/** Older parsers counted the bit of `use_quic` as a flag. */
function withoutQuic(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("useQuic" in value)) return value;
  const { useQuic: _, ...rest } = value;
  return rest;
}

function checkActon(config: Config, printed: readonly Readonly<Record<string, unknown>>[]): void {
  for (const id of numeric) {
    const values = printed.find((p) => p.id === id);
    const value = findConfigParam(config, id);
    if (id === 8 || values?.configurationValues === undefined || value === undefined) continue;
    expect(leaves(shownByActon(value)), `parameter ${id}`).toEqual(printedLeaves(values.configurationValues));
  }
  for (const id of sets) {
    const set = printed.find((p) => p.id === id)?.validatorSet;
    const configParam = findConfigParam(config, id);
    if (set === undefined || configParam === undefined) expect(configParam).toBe(set);
    else expect(validatorRows(configParam)).toEqual(actonSet(set));
  }
  const version = asRecord(printed.find((p) => p.id === 8)?.globalVersion);
  expect(findConfigParam(config, 8)).toEqual({
    version: version.version,
    capabilities: BigInt(asText(version.capabilities)),
  });
  const suspended = printed.find((p) => p.id === 44)?.suspendedAddresses;
  const list = findConfigParam(config, 44);
  if (suspended !== undefined) {
    expect(list?.suspendedUntilAt).toBe(asRecord(suspended).suspendedUntil);
    expect(new Set(list?.addresses.keys())).toEqual(new Set(asList(asRecord(suspended).addresses)));
  }
}

function checkTongo(config: Config, printed: Readonly<Record<string, unknown>>): void {
  for (const id of numeric) {
    expect(leaves(withoutQuic(findConfigParam(config, id))), `parameter ${id}`).toEqual(
      printedLeaves(printed[`ConfigParam${id}`]),
    );
  }
  for (const id of sets) {
    const set = printed[`ConfigParam${id}`];
    const configParam = findConfigParam(config, id);
    if (set === undefined || configParam === undefined) expect(configParam).toBe(set);
    else expect(validatorRows(configParam)).toEqual(tongoSet(set));
  }
  const workchains = asRecord(asRecord(printed.ConfigParam12).Workchains);
  const configParam = findConfigParam(config, 12);
  expect(configParam?.keys().map(String)).toEqual(Object.keys(workchains));
  for (const [id, workchain] of configParam?.entries() ?? [])
    expect(leaves({ ...workchain, basic: Number(workchain.basic) })).toEqual(printedLeaves(workchains[String(id)]));
}

function checkOpentonapi(config: Config, printed: Readonly<Record<string, unknown>>): void {
  // That project prints fields in its own order.
  for (const id of numeric) {
    expect(leaves(withoutQuic(findConfigParam(config, id))).sort(), `parameter ${id}`).toEqual(
      printedLeaves(printed[String(id)]).sort(),
    );
  }
  for (const id of sets) {
    const set = printed[String(id)];
    const configParam = findConfigParam(config, id);
    if (set === undefined || configParam === undefined) expect(configParam).toBe(set);
    else expect(validatorRows(configParam)).toEqual(opentonapiSet(set));
  }
  const suspended = asRecord(printed["44"]);
  const list = findConfigParam(config, 44);
  expect(list?.suspendedUntilAt).toBe(suspended.suspended_until);
  expect(new Set(list?.addresses.keys())).toEqual(new Set(asList(suspended.accounts)));
}
