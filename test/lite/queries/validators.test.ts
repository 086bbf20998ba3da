import { describe, expect, it } from "vitest";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { toHex } from "../../../src/lib/bytes.ts";
import { masterchainGroup, ValidatorGroups } from "../../../src/lite/queries/validators.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import { ValidatorDescr } from "../../../src/model/config/ValidatorSet.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { makeSigner, makeValidatorConfig, makeValidatorSet } from "../../kit/lite/signers.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const signers = Array.from({ length: 20 }, (_, i) => makeSigner(`validator ${i}`, BigInt(i + 1)));
const set = makeValidatorSet(signers);
const keysOf = (list: readonly { readonly publicKey: Uint8Array }[]) => list.map(({ publicKey }) => toHex(publicKey));

function keyBlock(seqno: number): BlockIdExt {
  const rootHash = seqno.toString(16).padStart(64, "0") as Hash;
  return { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash: rootHash };
}

describe("the masterchain's group", () => {
  it("has the first validators of the set, in order", () => {
    const group = masterchainGroup(makeValidatorConfig({ 34: makeValidatorSet(signers, 12) }), 5);
    expect(keysOf(group.validators)).toEqual(keysOf(signers.slice(0, 12)));
    expect(group.totalWeight).toBe(78n);
    expect(group.byId.size).toBe(12);
  });

  it("is shuffled for every session if configured, from the same validators", () => {
    const config = makeValidatorConfig({ 34: makeValidatorSet(signers, 12) }, true);
    const [first, again, next] = [5, 5, 6].map((seqno) => masterchainGroup(config, seqno));
    expect(first?.hashShort).toBe(again?.hashShort);
    expect(keysOf(first?.validators ?? [])).not.toEqual(keysOf(next?.validators ?? []));
    expect(keysOf(first?.validators ?? []).sort()).toEqual(keysOf(signers.slice(0, 12)).sort());
  });

  it("is not shuffled if configured so", () => {
    const config = makeValidatorConfig({ 34: set }, false);
    expect(keysOf(masterchainGroup(config, 5).validators)).toEqual(keysOf(signers));
  });

  it("has another id in another session, or with another key, weight or order", () => {
    const name = (list: typeof signers, seqno: number) =>
      masterchainGroup(makeValidatorConfig({ 34: makeValidatorSet(list) }), seqno).hashShort;
    const names = [
      name(signers, 5),
      name(signers, 6),
      name(signers.toReversed(), 5),
      name(signers.slice(1), 5),
      name(signers.with(0, makeSigner("other", 1n)), 5),
      name(signers.with(0, makeSigner("validator 0", 2n)), 5),
    ];
    expect(new Set(names).size).toBe(names.length);
  });

  it("is the temporary one if there is one", () => {
    const temporary = makeValidatorSet(signers.slice(3, 6));
    const group = masterchainGroup(makeValidatorConfig({ 34: set, 35: temporary }), 5);
    expect(keysOf(group.validators)).toEqual(keysOf(signers.slice(3, 6)));
  });

  it("cannot be made from an incomplete set", () => {
    const without = (index: number) => ({
      ...set,
      list: makeDictionary(
        uintKey(16),
        ValidatorDescr,
        set.list.entries().filter(([i]) => i !== index),
      ),
    });
    for (const index of [0, 7, 19])
      expect(refusalCode(() => masterchainGroup(makeValidatorConfig({ 34: without(index) }), 5))).toBe("lite/proof");
    expect(refusalCode(() => masterchainGroup(makeValidatorConfig({}), 5))).toBe("model/value");
  });
});

describe("cached groups", () => {
  it("are computed once for a key block and a session", () => {
    const groups = new ValidatorGroups();
    let asked = 0;
    const config = () => {
      asked += 1;
      return makeValidatorConfig({ 34: set });
    };
    const first = groups.get(keyBlock(1), 5, config);
    expect(groups.get(keyBlock(1), 5, config)).toBe(first);
    expect(groups.get(keyBlock(1), 6, config)).not.toBe(first);
    expect(groups.get(keyBlock(2), 5, config)).not.toBe(first);
    expect(asked).toBe(3);
  });

  it("are limited, least recently used dropped first", () => {
    const groups = new ValidatorGroups();
    const worked: number[] = [];
    const ask = (seqno: number) =>
      groups.get(keyBlock(seqno), 5, () => {
        worked.push(seqno);
        return makeValidatorConfig({ 34: set });
      });
    for (let seqno = 1; seqno <= 8; seqno++) ask(seqno);
    ask(1);
    ask(9);
    ask(1);
    ask(2);
    expect(worked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 2]);
  });

  it("do not keep failures", () => {
    const groups = new ValidatorGroups();
    expect(refusalCode(() => groups.get(keyBlock(1), 5, () => makeValidatorConfig({})))).toBe("model/value");
    expect(groups.get(keyBlock(1), 5, () => makeValidatorConfig({ 34: set })).validators).toHaveLength(20);
  });
});
