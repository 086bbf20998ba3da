import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { stateEvery } from "../../../src/localnet/store/ChainFolder.ts";
import { openChainKit } from "../../kit/localnet/localChain.ts";

const kit = await openChainKit();
const folder = mkdtempSync(join(tmpdir(), "tongate-states-"));
const states = join(folder, "states");
/** The newest block: a start makes some, too. */
let head = 0;
const storedSeqnos = () =>
  readdirSync(states)
    .filter((name) => name.endsWith(".states"))
    .map((name) => Number.parseInt(name, 10))
    .toSorted((a, b) => a - b);

beforeAll(async () => {
  const chain = await kit.open({ folder });
  await chain.rounds(2 * stateEvery + 3);
  head = chain.net.ledger.headId.seqno;
  await chain.net.close();
});
afterAll(async () => {
  await kit.close();
  rmSync(folder, { recursive: true });
});

it("a chain that comes without states, as from a snapshot, stores those that a running one has", async () => {
  const stored = storedSeqnos();
  expect(stored).toEqual([stateEvery, 2 * stateEvery, head]);
  rmSync(states, { recursive: true });
  const turns = vi.spyOn(globalThis, "setImmediate");
  onTestFinished(() => turns.mockRestore());
  const { net } = await kit.open({ folder });
  // Others have their turn after each block.
  expect(turns.mock.calls.length).toBeGreaterThan(head);
  expect(storedSeqnos()).toEqual([stateEvery, 2 * stateEvery]);
  await net.close();
  expect(storedSeqnos()).toEqual(stored);
});

it("the states that the next block begins at stay in memory while old ones are made again", async () => {
  const chain = await kit.open({ folder });
  await chain.rounds(1);
  const { ledger } = chain.net;
  const newest = ledger.headId;
  const state = ledger.state(newest);
  // More states than stay in memory.
  for (const seqno of [2 * stateEvery - 1, stateEvery - 1]) ledger.state(ledger.getMaster(seqno).id);
  expect(ledger.state(newest)).toBe(state);
  await chain.net.close();
});
