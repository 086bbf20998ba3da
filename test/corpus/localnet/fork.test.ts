import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCorpusPart } from "../../../kit/suite/corpus.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import { importChain } from "../../../src/localnet/ledger/importChain.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { listChainRecords } from "../../kit/cell/chainRecord.ts";
import { type ChainKit, openChainKit } from "../../kit/localnet/localChain.ts";
import { shardsOf } from "../../kit/localnet/splits.ts";

const coin = 1_000_000_000n;
const accountsPerShard = 10;

let kit: ChainKit;
beforeAll(async () => {
  kit = await openChainKit();
});
afterAll(() => kit.close());

/** Some accounts of every shard of the basechain: those of the masterchain change with the first block. */
function someAccounts(view: ChainView): Address[] {
  return view.topIds().flatMap((id) => {
    const found: Address[] = [];
    view
      .state(id)
      .accounts.load()
      .walk((_, account) => found.push(makeAddress(id.workchain, account)) < accountsPerShard);
    return found;
  });
}

/** Blocks at which a recording has had different numbers of shards, and its last one. */
function someBlocks(ledger: Ledger): number[] {
  const last = ledger.headId.seqno;
  const byCount = new Map<number, number>();
  for (let seqno = 10; seqno < last; seqno += 9) {
    const tops = new ChainView(ledger, ledger.getMaster(seqno).id).tops();
    if (tops.every(({ description }) => !description.beforeSplit)) byCount.set(tops.length, seqno);
  }
  return [...new Set([...byCount.values(), last])];
}

describeCorpusPart("forks of a recorded network", "*/index.json", (folder) => {
  describe.each(listChainRecords(folder))("%s", (name) => {
    const ledger = importChain(join(folder, name));

    it.each(someBlocks(ledger))("has the accounts of block %i, and goes on", async (seqno) => {
      const server = new LocalLiteServer({ ledger });
      const head = async () => ({ block: ledger.headId, zeroState: ledger.zero.id });
      const fork = await kit.open({ fork: { origin: { name, server, head }, seqno } });
      const view = new ChainView(ledger, ledger.getMaster(seqno).id);
      const addresses = someAccounts(view);
      await fork.net.touch(addresses);
      for (const address of addresses) {
        const [own, theirs] = [fork.net.account(address), view.shardAccount(address)];
        expect([address, own.account.cell.hash()]).toEqual([address, theirs.account.cell.hash()]);
      }
      const shards = view.tops().map(({ shard }) => shard.toString(16).padStart(16, "0"));
      const [to] = addresses.slice(-1) as [Address];
      const before = fork.net.account(to).lastTransactionLt;
      await fork.net.touch([fork.wallet(0).address]);
      await fork.send(fork.wallet(0), { to, amount: coin });
      await fork.rounds(5);
      expect(fork.net.account(to).lastTransactionLt).toBeGreaterThan(before);
      expect(shardsOf(fork.net.ledger)).toEqual(shards);
    });
  });
});
