import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { listBlocks } from "../../kit/localnet/ledgerTransactions.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

let kit: ChainKit;
let chain: TestChain;

beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open({ shards: 4 });
  const people = ["1", "5", "9", "d"].map((digit) => makeAddress(0, digit.repeat(64)));
  for (const [i, to] of people.entries()) await chain.send(chain.wallet(3 + i), { to, amount: 1_000_000_000n });
  await chain.rounds(3);
});
afterAll(() => kit.close());

/** A ledger with all blocks but the last, and the last with the state after it. */
function allButLast() {
  const { ledger } = chain.net;
  const again = new Ledger(ledger.zeroStates);
  const blocks = listBlocks(ledger);
  const last = blocks.pop();
  if (last === undefined) throw new Error("the chain has no blocks");
  for (const { bytes } of blocks) again.add(bytes);
  return { again, last: { id: last.id, bytes: last.bytes, root: readRoot(last.bytes), state: ledger.state(last.id) } };
}

describe("a block of its own", () => {
  it("has the id and the state that the check of a foreign block computes", () => {
    const again = new Ledger(chain.net.ledger.zeroStates);
    for (const { id, bytes } of listBlocks(chain.net.ledger)) {
      expect(again.add(bytes).id).toEqual(id);
      expect(again.state(id).hash()).toBe(chain.net.ledger.state(id).hash());
    }
    expect(again.headId).toEqual(chain.net.ledger.headId);
  });

  it("is accepted with the state that it leads to", () => {
    const { again, last } = allButLast();
    const [own, foreign] = [again.checkOwn(last), again.check(last.bytes)];
    expect([own.id, own.info, own.root.hash(), own.state.hash()]).toEqual([
      foreign.id,
      foreign.info,
      foreign.root.hash(),
      foreign.state.hash(),
    ]);
  });

  it("is refused with another state", () => {
    const { again, last } = allButLast();
    expect(() => again.checkOwn({ ...last, state: emptyCell })).toThrow("does not match its states");
  });

  it("is refused when it begins at another state", () => {
    const { again, last } = allButLast();
    again.keepState({ ...last.id, rootHash: again.headId.rootHash }, emptyCell);
    expect(() => again.checkOwn(last)).toThrow("does not match its states");
  });
});

describe("blocks of a chain", () => {
  it("that are not new are kept as bags of their own: cells of states would keep whole old states alive", async () => {
    const { ledger } = chain.net;
    const old = listBlocks(ledger);
    await chain.rounds(16);
    for (const block of old) {
      const root = ledger.root(block);
      const storages = new Set<Uint8Array>();
      const open = [root];
      for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
        storages.add(cell.bytes);
        open.push(...cell.refs());
      }
      expect([...storages]).toEqual([block.bytes]);
      expect(root.hash()).toBe(block.id.rootHash);
    }
  });
});
