import { afterAll, beforeAll, expect, it } from "vitest";
import { ConfirmedReader } from "../../../src/history/confirmed/ConfirmedReader.ts";
import { readBlockFacts } from "../../../src/history/events/BlockFacts.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import type { FullTransaction } from "../../../src/history/queries/fill/FullTransaction.ts";
import { History } from "../../../src/history/queries/kit/History.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { fetchBlock, type WholeBlock } from "../../../src/lite/queries/blocks.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import { quietLog } from "../../kit/api/apiServer.ts";
import { type DemoStage, openDemoStage } from "../../kit/api/demoStage.ts";
import { addBody, counterLibrary } from "../../kit/contracts/counterAbi.ts";
import { jettonTransferBody } from "../../kit/localnet/jettonBody.ts";

const { signal } = new AbortController();
let stage: DemoStage;

beforeAll(async () => {
  stage = await openDemoStage();
});
afterAll(() => stage.close());

async function readNewest(): Promise<readonly WholeBlock[]> {
  const { lite, ledger } = stage.chain.net;
  return Promise.all(new ChainView(ledger).topIds().map((id) => fetchBlock(lite, id, { signal })));
}

it("reads of a block that is not indexed what the index has of it later", async () => {
  const { chain, demo, history, database } = stage;
  const { lite } = chain.net;
  const queries = new AccountQueries({ clock: systemClock, random: seededRandom("confirmed") });
  const reader = new ConfirmedReader({ server: lite, queries, database, log: quietLog });
  const owner = demo.people.alice;
  const wallet = demo.jetton.walletOf(owner.address);
  const body = jettonTransferBody({ to: demo.people.bob.address, amount: 5n, comment: "confirmed" });
  await chain.send(owner, { to: wallet, amount: 200_000_000n, body });
  await chain.rounds(1);
  const blocks = await readNewest();
  for (const block of blocks) await reader.decode(block, 15, signal);
  const fresh = new Set(blocks.map(({ id }) => id.rootHash));
  const { traces, jettons } = await history.read({}, async (reading) => ({
    traces: await reader.readTraces(reading, fresh),
    jettons: await reader.readJettons(reading, fresh),
  }));
  await stage.index();
  const facts = await history.read({}, (reading) => readBlockFacts(reading, chain.net.ledger.headId.seqno));
  const committed = facts?.transactions.filter(({ row }) => row.blockWorkchain === 0) ?? [];
  expect(traces.flatMap(({ transactions }) => transactions.map(({ row }) => row.hash)).toSorted()).toEqual(
    committed.map(({ row }) => row.hash).toSorted(),
  );
  const last = new Map(committed.map((each) => [each.row.account, each.stateAfter]));
  const found = new Map(
    traces.flatMap(({ transactions }) => transactions.map((each) => [each.row.account, each.stateAfter])),
  );
  expect(found).toEqual(last);
  const byAddress = jettons.toSorted((a, b) => (a.address < b.address ? -1 : 1));
  // Both wallets, with their new balances.
  expect(jettons.length).toBe(2);
  expect(byAddress.map((each) => ({ ...each, mcSeqno: facts?.block.seqno }))).toEqual(facts?.jettons);
});

it("decodes what ABIs of one's own describe as the index does later", async () => {
  const { chain, demo, database } = stage;
  const { lite } = chain.net;
  const queries = new AccountQueries({ clock: systemClock, random: seededRandom("confirmed") });
  const reader = new ConfirmedReader({ server: lite, queries, database, log: quietLog });
  const { alice, bob } = demo.people;
  const library = counterLibrary({ addresses: [alice.address] });
  const history = new History(stage.history.options, { database, abis: { library: () => library } });
  await chain.send(bob, { to: alice.address, amount: 10_000_000n, body: addBody(5n) });
  await chain.rounds(1);
  const blocks = await readNewest();
  for (const block of blocks) await reader.decode(block, 15, signal);
  const fresh = new Set(blocks.map(({ id }) => id.rootHash));
  const traces = await history.read({}, (reading) => reader.readTraces(reading, fresh));
  const bodiesOf = (transactions: readonly FullTransaction[]) =>
    transactions.map(({ row: { account }, inMessage, outMessages }) => [
      account,
      [inMessage, ...outMessages].map((message) => [message?.opcodeName, message?.body?.decoded]),
    ]);
  const found = bodiesOf(traces.flatMap(({ transactions }) => transactions));
  expect(found).toEqual([
    [bob.address, expect.anything()],
    [alice.address, [["add", { "@type": "add", by: "5" }]]],
  ]);
  await stage.index();
  const facts = await history.read({}, (reading) => readBlockFacts(reading, chain.net.ledger.headId.seqno));
  expect(found).toEqual(bodiesOf(facts?.transactions.filter(({ row }) => row.blockWorkchain === 0) ?? []));
});
