import { describe, expect, it } from "vitest";
import { readRoot } from "../../../../src/cell/boc.ts";
import { decodeBatch } from "../../../../src/history/ingest/decode/decodeBatch.ts";
import type { StateLookups, StoredState } from "../../../../src/history/ingest/states/AccountReader.ts";
import { LocalLiteServer } from "../../../../src/localnet/network/LocalLiteServer.ts";
import type { Address } from "../../../../src/model/Address.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { checkStates, latestStates } from "../../../kit/history/checkIngest.ts";
import {
  type Ingested,
  ingestAll,
  listBatches,
  noEnd,
  openLedgerSource,
  openReader,
} from "../../../kit/history/ingestStage.ts";
import { openFixtureLedger } from "../../../kit/localnet/fixtureLedger.ts";
import { importSplitChain } from "../../../kit/localnet/splitChain.ts";

const chain = openFixtureLedger();
const split = importSplitChain();

describe("states of accounts", () => {
  it.each([
    ["one shard", chain],
    ["a shard that is split", split],
  ] as const)("equal those of the ledger at every change, without queries: %s", async (_name, ledger) => {
    const { steps, counters } = await ingestAll(ledger);
    const states = checkStates(ledger, steps);
    expect(counters.rebuilt).toBe(states);
    expect(counters.queries).toEqual({ unknown: 0, missing: 0, hidden: 0 });
    expect(states).toBeGreaterThan(50);
  });

  it("are queried one by one without memory", async () => {
    const { steps, counters } = await ingestAll(split, { memory: { stateBytes: 0, codeBytes: 0 } });
    checkStates(split, steps);
    expect(counters.queries.unknown).toBeGreaterThan(10);
    const remembered = await ingestAll(split);
    expect(steps.map(({ read }) => read.rows.accountStates)).toEqual(
      remembered.steps.map(({ read }) => read.rows.accountStates),
    );
  });

  it("are found in the database after a restart", async () => {
    const { steps } = await ingestAll(split);
    const half = 20;
    const lookups = databaseOf(steps.slice(0, half));
    const server = new LocalLiteServer({ ledger: split });
    const reader = openReader(server, { lookups });
    const range = { from: half + 1, to: split.headId.seqno };
    for (const [i, batch] of (await listBatches(openLedgerSource(split).batches(range, noEnd))).entries()) {
      const read = await reader.read(decodeBatch(batch), noEnd);
      expect(read.rows.accountStates).toEqual(steps[half + i]?.read.rows.accountStates);
      expect(read.rows.latestAccountStates).toEqual(steps[half + i]?.read.rows.latestAccountStates);
    }
    // Missing in rows, so it must be fetched: data that is too deep, libraries, the tree of extra currencies.
    const stored = new Map(steps.slice(0, half).flatMap(({ read }) => read.accounts.map((a) => [a.address, a])));
    const later = new Set(steps.slice(half).flatMap(({ read }) => read.accounts.map(({ address }) => address)));
    const lacking = [...stored.values()].filter(({ address, cell, code, data }) => {
      const held = [code, data].filter((tree) => tree !== undefined).length;
      return later.has(address) && (cell.refCount > held || (data?.depth() ?? 0) > 12);
    });
    const { queries, lookedUp } = reader.counters();
    expect(queries).toEqual({ unknown: 0, missing: lacking.length, hidden: 0 });
    expect(lookedUp).toBeGreaterThan(lacking.length);
  });

  it("keep their data if it is not too deep", async () => {
    const { steps } = await ingestAll(chain);
    const rows = [...latestStates(steps).values()].filter(({ dataHash }) => dataHash !== undefined);
    for (const { dataHash, dataBoc } of rows)
      if (dataBoc !== undefined) expect(readRoot(dataBoc).hash()).toBe(dataHash);
    const depths = new Map(
      steps.flatMap(({ read }) => read.accounts).map((a) => [a.data?.hash(), a.data?.depth() ?? 0]),
    );
    expect(rows.map(({ dataBoc }) => dataBoc !== undefined)).toEqual(
      rows.map(({ dataHash }) => (depths.get(dataHash) ?? 0) <= 12),
    );
    const none = await ingestAll(chain, { dataDepth: -1 });
    expect([...latestStates(none.steps).values()].filter(({ dataBoc }) => dataBoc !== undefined)).toEqual([]);
  });

  it("of a block whose transactions have another hash are rejected", async () => {
    const [batch] = await listBatches(openLedgerSource(chain).batches({ from: 3, to: 3 }, noEnd));
    if (batch === undefined) throw new Error("no batch");
    const decoded = decodeBatch(batch);
    const [first, ...others] = decoded.changed;
    if (first === undefined) throw new Error("nothing changed");
    const mutated = { ...decoded, changed: [{ ...first, stateHash: first.lastTransHash }, ...others] };
    const reader = openReader(new LocalLiteServer({ ledger: chain }));
    await expect(reader.read(mutated, noEnd)).rejects.toMatchObject({ code: "history/mismatch" });
  });
});

/** The stored states after some batches. */
function databaseOf(steps: readonly Ingested[]): StateLookups {
  const states = new Map<Address, StoredState>(latestStates(steps));
  const codes = new Map(steps.flatMap(({ read }) => read.rows.codes.map(({ hash, boc }) => [hash, boc] as const)));
  const pick = <K, V>(from: ReadonlyMap<K, V>, keys: readonly K[]): Map<K, V> =>
    new Map(keys.flatMap((key) => (from.has(key) ? [[key, from.get(key) as V] as const] : [])));
  return {
    findStates: async (addresses) => pick(states, addresses),
    findCodes: async (hashes: readonly Hash[]) => pick(codes, hashes),
  };
}
