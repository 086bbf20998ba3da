import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { cell, loadCell, storeCell } from "../../../src/cell/codec.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { makePruned } from "../../../src/cell/exotic.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import { intKey } from "../../../src/cell/keys.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import {
  ConfigParams,
  configFromRoot,
  configParam,
  findConfigParam,
  getConfigParam,
} from "../../../src/model/config/ConfigParams.ts";
import { gasPricesOf } from "../../../src/model/config/GasLimitsPrices.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { openValue } from "../../kit/cell/openValue.ts";
import {
  isKnownParam,
  loadConfigParam,
  setConfigParam,
  storeConfigParam,
} from "../../kit/model/codecs/configParams.ts";
import { anyParam } from "../../kit/model/configValues.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

/** The configuration in the zero state of the recorded network. */
function recordedConfig(): ConfigParams {
  const bytes = readFileSync(new URL("../../fixtures/realnet/zerostate.boc.gz", import.meta.url));
  const custom = loadCell(ShardStateUnsplit, readRoot(gunzipSync(bytes))).custom;
  if (custom === undefined) throw new Error("no masterchain state");
  return custom.load().config;
}

describe("recorded configuration", () => {
  const config = recordedConfig();

  it("is stored unchanged", () => {
    const cell = storeCell(ConfigParams, config);
    expect(storeCell(ConfigParams, loadCell(ConfigParams, cell)).hash()).toBe(cell.hash());
  });

  it("has parameters that are read completely and stored unchanged", () => {
    const ids: number[] = [];
    config.params.forEach((cell, id) => {
      const param = loadConfigParam(id, cell);
      openValue(param);
      ids.push(id);
      expect(storeConfigParam(param).hash()).toBe(cell.hash());
    });
    expect(ids.filter(isKnownParam).length).toBeGreaterThan(20);
  });

  it("gives parameters their type by their id", () => {
    expect(config.configAccount).toBe("5".repeat(64));
    expect(findConfigParam(config, 0)).toBe(config.configAccount);
    expect(getConfigParam(config, 8)).toEqual({ version: 13, capabilities: 238n });
    expect(getConfigParam(config, 34).list.count()).toBe(1);
    expect(getConfigParam(config, 12).keys()).toEqual([0]);
    expect(gasPricesOf(getConfigParam(config, 21)).flatGasLimit).toBe(100n);
  });

  it("omits missing ones", () => {
    expect(findConfigParam(config, 73)).toBeUndefined();
    expect(refusalCode(() => getConfigParam(config, 73))).toBe("model/value");
  });

  it("replaces the old value and keeps the others", () => {
    const changed = setConfigParam(config, 19, -777);
    expect(getConfigParam(changed, 19)).toBe(-777);
    expect(changed.params.find(34)?.hash()).toBe(config.params.find(34)?.hash());
    const root = changed.params.root;
    if (root === undefined) throw new Error("an empty configuration");
    expect(getConfigParam(configFromRoot(root), 19)).toBe(-777);
  });
});

describe("configuration in general", () => {
  it("may be left out of a proof until it is asked", () => {
    const root = beginCell().storeUint(1, 8).cell();
    const cell = beginCell().storeHex("5".repeat(64)).storeRef(makePruned(root, 1)).cell();
    const config = loadCell(ConfigParams, cell);
    expect(config.configAccount).toBe("5".repeat(64) as Hash);
    expect(refusalCode(() => findConfigParam(config, 0))).toBe("cell/pruned");
  });

  it("is never empty", () => {
    const empty = { configAccount: "5".repeat(64) as Hash, params: new Dictionary(undefined, intKey(32), cell) };
    expect(refusalCode(() => storeCell(ConfigParams, empty))).toBe("cell/dictionary");
  });

  it("keeps an unknown parameter as its cell", () => {
    const cell = beginCell().storeUint(5, 8).cell();
    const param = loadConfigParam(-999, cell);
    expect(param).toEqual({ kind: "unknown", id: -999, cell });
    expect(storeConfigParam(param)).toBe(cell);
    expect(isKnownParam(26)).toBe(false);
  });

  it("refuses a known parameter with bits left over", () => {
    const cell = beginCell().storeHex("5".repeat(64)).storeBit(true).cell();
    expect(refusalCode(() => loadConfigParam(0, cell))).toBe("cell/leftover");
  });

  it("has no parameter that does not exist on a plain object", () => {
    expect(isKnownParam(Number.NaN)).toBe(false);
    expect(loadConfigParam(38, beginCell().cell()).kind).toBe("unknown");
  });
});

describe("known parameters", () => {
  for (const id of Object.keys(configParam).map(Number).filter(isKnownParam))
    itHoldsForRandom<unknown>(`parameter ${id}`, configParam[id], anyParam[id], 60);
});

describe("rules of the scheme", () => {
  it("refuses limits out of order", () => {
    const cell = beginCell().storeUint(0x5d, 8);
    for (let i = 0; i < 3; i++) cell.storeUint(0xc3, 8).storeUint(5, 32).storeUint(4, 32).storeUint(6, 32);
    expect(refusalCode(() => loadConfigParam(22, cell.cell()))).toBe("model/value");
  });

  it("refuses more validators in the main set than there are", () => {
    const cell = beginCell().storeUint(0x12, 8).storeUint(1, 32).storeUint(2, 32).storeUint(3, 16).storeUint(4, 16);
    cell.storeUint(0, 32).storeUint(0, 32).storeBit(false);
    expect(refusalCode(() => loadConfigParam(34, cell.cell()))).toBe("model/value");
  });

  it("refuses to store what it would not load", () => {
    const value = { maxValidators: 1, maxMainValidators: 2, minValidators: 1 };
    expect(refusalCode(() => storeCell(configParam[16], value))).toBe("model/value");
  });
});
