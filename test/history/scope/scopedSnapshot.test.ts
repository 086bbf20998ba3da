import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scope } from "../../../src/history/scope/Scope.ts";
import { claimScope, findScope } from "../../../src/history/scope/storedScope.ts";
import { exportIndex } from "../../../src/history/snapshot/exportIndex.ts";
import { importIndex } from "../../../src/history/snapshot/importIndex.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { claimNetwork } from "../../../src/history/store/schema/indexFacts.ts";
import { verifySample } from "../../../src/history/verify/verifySample.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type Demo, makeDemo } from "../../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../../src/localnet/demo/playDemo.ts";
import { openFresh } from "../../kit/history/database.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { dumpIndex } from "../../kit/history/indexTables.ts";
import { type ChainKit, openChainKit } from "../../kit/localnet/localChain.ts";
import "../../kit/suite/longRun.ts";

const never = new AbortController().signal;
const everything = { count: 1_000, accountsPerBlock: 1_000, tracesPerBlock: 1_000 };
const none = { accounts: [], jettons: [], collections: [], codeHashes: [], from: undefined, until: undefined };

let kit: ChainKit;
let demo: Demo;
let stage: IndexStage;
let scope: Scope;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "scoped-export-"));
  kit = await openChainKit();
  const { net } = await kit.open();
  demo = makeDemo(net.keys);
  await playDemo(net, demo);
  stage = await openIndexStage(net.ledger, await openFresh("postgres"));
  scope = {
    ...none,
    accounts: [demo.multisig.wallet],
    jettons: [demo.jetton.minter],
    collections: [demo.nft.collection],
  };
  await claimNetwork(stage.database, net.ledger.zero.id.rootHash);
  await claimScope(stage.database, scope);
  await stage.indexer({}).run(never);
});
afterAll(async () => {
  await stage?.close();
  await kit?.close();
  rmSync(folder, { recursive: true, force: true });
});

const verify = (database: Database) =>
  verifySample({ ...stage.modules, database, network: "testnet" }, everything, never);

describe("an index with a scope", () => {
  it("is exported with its scope, and imported into a database without another one", async () => {
    const { scope: text } = await exportIndex({ database: stage.database, clock: systemClock }, folder);
    expect(text).toContain(demo.jetton.minter);
    const { rootHash } = stage.ledger.zero.id;
    const modules = { ...stage.modules, network: "testnet" } as const;
    const other = await openFresh("postgres");
    const database = await openFresh("postgres");
    try {
      await claimNetwork(database, rootHash);
      const given = { network: rootHash, sample: 1_000 };
      const wrong = { ...none, accounts: [demo.vesting.wallet] };
      await expect(
        importIndex({ ...modules, database }, folder, { ...given, scope: wrong }, never),
      ).rejects.toMatchObject({
        code: "history/snapshot",
        message: `the export covers only 1 account, 1 jetton, 1 NFT collection, but --scope covers 1 account: use the scope file of the export, or another export`,
      });
      await claimScope(other, wrong);
      await expect(importIndex({ ...modules, database: other }, folder, given, never)).rejects.toMatchObject({
        code: "history/scope",
      });
      const report = await importIndex({ ...modules, database }, folder, { ...given, scope }, never);
      expect(report.differences).toEqual([]);
      expect(await findScope(database)).toEqual(scope);
      expect(await dumpIndex(database)).toEqual(await dumpIndex(stage.database));
    } finally {
      await other.close();
      await database.close();
    }
  });

  it("is what the chain says of its scope", async () => {
    const report = await verify(stage.database);
    expect(report.differences).toEqual([]);
    expect(report.rows).toBeGreaterThan(100);
  });

  it("lacks nothing of its scope, or verify says so", async () => {
    const [row] = await stage.database.query(
      "select account, lt::text as lt, encode(hash, 'hex') as hash from transactions where account in (select address from jetton_wallets) order by lt limit 1",
    );
    await stage.database.write((session) =>
      session.query("delete from transactions where lt = $1::bigint and encode(hash, 'hex') = $2", [
        String(row?.lt),
        String(row?.hash),
      ]),
    );
    const { differences } = await verify(stage.database);
    expect(differences).toContainEqual(
      expect.objectContaining({ kind: "missing", table: "transactions", key: String(row?.hash) }),
    );
  });
});
