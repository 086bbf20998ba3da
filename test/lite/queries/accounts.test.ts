import { describe, expect, it } from "vitest";
import { makeMerkleProof } from "../../../kit/cell/merkleProofs.ts";
import { plainValue } from "../../../kit/lite/provenAnswer.ts";
import { checkPrunedAccountState, fetchPrunedAccount } from "../../../kit/lite/queries/prunedAccount.ts";
import { readBoc, readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { makePruned } from "../../../src/cell/exotic.ts";
import { toHex } from "../../../src/lib/bytes.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { checkAccountState, fetchAccount } from "../../../src/lite/queries/accounts.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { getAccountState, getAccountStatePrunned } from "../../../src/lite/tl/liteQueries.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { forgeTree } from "../../kit/cell/forgedValues.ts";
import { findRecorded, listRecorded, type RecordedAnswer } from "../../kit/lite/recordedAnswer.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { signal } = new AbortController();
type Recorded = ReturnType<typeof listRecorded<(typeof all)[number]["args"], (typeof all)[number]["answer"]>>[number];
const all = listRecorded(getAccountState);
const pruned = listRecorded(getAccountStatePrunned);

function addressOf({ args }: Pick<Recorded, "args">): Address {
  return makeAddress(args.account.workchain, toHex(args.account.id));
}

function find<Q, A>(list: readonly RecordedAnswer<Q, A>[], fits: (recordedAnswer: RecordedAnswer<Q, A>) => boolean) {
  const recordedAnswer = list.find(fits);
  if (recordedAnswer === undefined) throw new Error("no such account is recorded");
  return recordedAnswer;
}

const isThere = ({ answer }: Recorded) => answer.state.length > 0;
const isBase = ({ args }: Recorded) => args.account.workchain === 0 && args.id.workchain === -1;
const there = find(all, (recordedAnswer) => isThere(recordedAnswer) && isBase(recordedAnswer));
const other = find(
  all,
  (recordedAnswer) =>
    isThere(recordedAnswer) &&
    isBase(recordedAnswer) &&
    toHex(recordedAnswer.args.account.id) !== toHex(there.args.account.id),
);
const missing = find(
  all,
  (recordedAnswer) =>
    !isThere(recordedAnswer) && isBase(recordedAnswer) && recordedAnswer.answer.shardblk.workchain === 0,
);
const nowhere = find(all, ({ args }) => args.account.workchain === 9);
const atHead = pruned.find(isThere);

function check({ args }: Pick<Recorded, "args">, answer: Recorded["answer"]) {
  return checkAccountState(blockIdFromTl(args.id), addressOf({ args }), answer);
}

function refusal(recorded: Recorded, change: Partial<Recorded["answer"]>): string {
  return refusalCode(() => check(recorded, { ...recorded.answer, ...change }));
}

describe("an account's state", () => {
  it.each(all)("as recorded is proved: $note", (recorded) => {
    const at = check(recorded, recorded.answer);
    expect(at.block).toEqual(blockIdFromTl(recorded.args.id));
    expect(at.entry?.cell.hash()).toBe(
      recorded.answer.state.length === 0 ? undefined : readRoot(recorded.answer.state).hash(),
    );
    if (at.entry !== undefined) expect(at.entry.account.kind).toBe("account");
  });

  it("that is missing is proved", () => {
    const at = check(missing, missing.answer);
    expect(at.entry).toBeUndefined();
    expect(at.shard?.block).toEqual(blockIdFromTl(missing.answer.shardblk));
  });

  it("in a workchain that does not exist is proved to be absent", () => {
    expect(check(nowhere, nowhere.answer)).toMatchObject({ shard: undefined, entry: undefined });
    expect(refusal(nowhere, { shardProof: new Uint8Array(0) })).toBe("lite/proof");
    const elsewhere = find(all, ({ args }) => args.account.workchain === 9 && args.id.seqno !== nowhere.args.id.seqno);
    expect(refusal(nowhere, { shardProof: elsewhere.answer.shardProof })).toBe("lite/proof");
    expect(refusal(nowhere, { state: there.answer.state })).toBe("lite/proof");
  });

  it("cannot be forged as one in a workchain that does not exist", () => {
    const { shardblk, proof, state } = nowhere.answer;
    for (const shardProof of [nowhere.answer.shardProof, there.answer.shardProof, new Uint8Array(0)])
      expect(refusal(there, { shardblk, shardProof, proof, state })).toBe("lite/proof");
    const master = find(
      all,
      (recordedAnswer) => recordedAnswer.args.account.workchain === -1 && isThere(recordedAnswer),
    );
    expect(refusal(master, { shardblk, shardProof: nowhere.answer.shardProof, proof, state })).toBe("lite/proof");
  });

  it("cannot be hidden in a shard that cannot contain it", () => {
    const hidden = all.filter(
      (recordedAnswer) =>
        isBase(recordedAnswer) && !isThere(recordedAnswer) && recordedAnswer.answer.shardblk.workchain === 0,
    );
    const pairs = all
      .filter((recordedAnswer) => isBase(recordedAnswer) && isThere(recordedAnswer))
      .flatMap((recordedAnswer) => hidden.map((from) => [recordedAnswer, from] as const))
      .filter(([found, from]) => found.args.id.seqno === from.args.id.seqno)
      .filter(([found, from]) => found.answer.shardblk.shard !== from.answer.shardblk.shard);
    expect(pairs.length).toBeGreaterThan(0);
    for (const [found, from] of pairs) expect(refusalCode(() => check(found, from.answer))).toBe("lite/proof");
  });

  it("must be present exactly if the proof has it", () => {
    expect(refusal(there, { state: new Uint8Array(0) })).toBe("lite/proof");
    expect(refusal(missing, { state: there.answer.state })).toBe("lite/proof");
  });

  it("cannot be that of another account, block or shard", () => {
    expect(refusal(there, { state: other.answer.state })).toBe("lite/proof");
    expect(refusal(there, { proof: missing.answer.proof, state: missing.answer.state })).toBe("lite/proof");
    expect(refusal(there, { shardblk: there.answer.id, shardProof: new Uint8Array(0) })).toBe("lite/proof");
    expect(refusal(there, { id: there.answer.shardblk })).toBe("lite/proof");
    expect(refusal(there, { shardProof: new Uint8Array(0) })).toBe("lite/proof");
    expect(refusal(there, { shardblk: { ...there.answer.shardblk, shard: 1n << 62n } })).toBe("lite/proof");
    const { shardblk } = there.answer;
    expect(refusal(there, { shardblk: { ...shardblk, fileHash: shardblk.rootHash } })).toBe("lite/proof");
    expect(refusalCode(() => checkAccountState(blockIdFromTl(there.args.id), addressOf(other), there.answer))).toBe(
      "lite/proof",
    );
  });

  it("must be complete: no part may be pruned", () => {
    const root = readRoot(there.answer.state);
    const proof = makeMerkleProof(root, () => false);
    for (const cell of [proof, proof.ref(0), makePruned(root, 1)])
      expect(refusal(there, { state: writeBoc(cell) })).toBe("lite/proof");
  });

  it("needs two proofs: of the block, then of its state", () => {
    const [block, state] = readBoc(there.answer.proof);
    if (block === undefined || state === undefined) throw new Error("no proofs");
    for (const roots of [[block], [state, block], [block, state, state], [block.ref(0), state.ref(0)]])
      expect(refusal(there, { proof: writeBoc(roots) })).toBe("lite/proof");
  });
});

describe("the state that holds an account", () => {
  it("is the one in the block, not another consistent one", () => {
    const truth = check(there, there.answer);
    const roots = readBoc(there.answer.proof);
    const random = seededRandom("states");
    let refused = 0;
    for (const [i, root] of roots.entries()) {
      for (const forgery of forgeTree(root, random, 150)) {
        const proof = writeBoc(roots.with(i, forgery.make()));
        const proved = outcome(() => check(there, { ...there.answer, proof }));
        if (proved === "lite/proof") refused += 1;
        else expect(plainValue(proved)).toEqual(plainValue(truth));
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});

function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (isCoded(error)) return error.code;
    throw error;
  }
}

describe("an account's pruned state", () => {
  it.each(pruned)("as recorded is proved: $note", ({ args, answer }) => {
    const at = checkPrunedAccountState(blockIdFromTl(args.id), addressOf({ args }), answer);
    expect(at.entry === undefined).toBe(answer.state.length === 0);
    if (at.entry !== undefined) expect(at.entry.account.kind).toBe("account");
  });

  it("keeps the account's header", () => {
    if (atHead === undefined) throw new Error("none recorded");
    const { args, answer } = atHead;
    const ask = (state: Uint8Array) =>
      refusalCode(() => checkPrunedAccountState(blockIdFromTl(args.id), addressOf({ args }), { ...answer, state }));
    const root = readRoot(answer.state);
    expect(ask(writeBoc(root.ref(0)))).toBe("lite/proof");
    expect(ask(writeBoc(makePruned(root.ref(0), 1)))).toBe("lite/proof");
    expect(ask(there.answer.state)).toBe("lite/proof");
    expect(ask(new Uint8Array(0))).toBe("lite/proof");
  });
});

describe("asking for an account", () => {
  it("sends one query and returns the proved account", async () => {
    const { args, answer } = findRecorded(getAccountStatePrunned, isThere);
    const server = new ScriptedLite([replyTo(getAccountState, there.answer), replyTo(getAccountStatePrunned, answer)]);
    const whole = await fetchAccount(server, blockIdFromTl(there.args.id), addressOf(there), { signal });
    expect(whole).toEqual(check(there, there.answer));
    const header = await fetchPrunedAccount(server, blockIdFromTl(args.id), addressOf({ args }), { signal });
    expect(header.entry?.cell.hash(0)).toBe(header.entry?.shardAccount.account.cell.hash(0));
    expect(server.asked.map(({ args }) => args)).toEqual([there.args, args].map(comparable));
  });
});

function comparable({ id, account }: Recorded["args"]): unknown {
  const bytes = (value: Uint8Array) => new Uint8Array(value);
  return {
    id: { ...id, rootHash: bytes(id.rootHash), fileHash: bytes(id.fileHash) },
    account: { ...account, id: bytes(account.id) },
  };
}
