import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import { exportIndex } from "../../../src/history/snapshot/exportIndex.ts";
import { type IndexManifest, nameOf, readManifest } from "../../../src/history/snapshot/IndexManifest.ts";
import { type ImportOptions, importIndex } from "../../../src/history/snapshot/importIndex.ts";
import { refuseUnfinishedImport } from "../../../src/history/snapshot/importState.ts";
import type { Database, SqlRow } from "../../../src/history/store/Database.ts";
import { rebuild } from "../../../src/history/store/migrate/rebuild.ts";
import { claimNetwork, setFact } from "../../../src/history/store/schema/indexFacts.ts";
import type { VerifyModules, VerifyReport } from "../../../src/history/verify/verifySample.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { makeDemo } from "../../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../../src/localnet/demo/playDemo.ts";
import { engines, openFresh, quietModules } from "../../kit/history/database.ts";
import { ledgerHeads } from "../../kit/history/indexStage.ts";
import { dumpIndex } from "../../kit/history/indexTables.ts";
import { openIndexer } from "../../kit/history/openIndexer.ts";
import { narrowPartitions } from "../../kit/history/retention/narrowPartitions.ts";
import { type ChainKit, openChainKit } from "../../kit/localnet/localChain.ts";
import { someOf } from "../../kit/suite/everything.ts";

const never = new AbortController().signal;
/** Short, so that large tables have several files. */
const lengths = { fileLength: 20_000, fetchedRows: 50 };
const refused = { code: "history/snapshot" };

let kit: ChainKit;
let database: Database;
let modules: Omit<VerifyModules, "database">;
let grow: () => Promise<void>;
let continueIndex: (database: Database) => Promise<void>;
let network: ImportOptions["network"];
let root: string;
let folder: string;
let manifest: IndexManifest;
let exported: { readonly rows: Awaited<ReturnType<typeof dumpIndex>>; readonly indexes: readonly SqlRow[] };

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "tongate-export-"));
  folder = mkdtempSync(join(root, "first-"));
  kit = await openChainKit();
  const chain = await kit.open();
  const { net } = chain;
  await playDemo(net, makeDemo(net.keys));
  const { lite: server, ledger } = net;
  const common = { clock: systemClock, random: seededRandom("export") };
  const parts = { server, heads: ledgerHeads(ledger), executor: kit.executor, ...common };
  const open = (into: Database) =>
    openIndexer({ ...parts, database: into }, { from: "genesis", to: ledger.headId.seqno, network: "testnet" });
  database = await openFresh("postgres");
  const { rootHash } = ledger.zero.id;
  await claimNetwork(database, rootHash);
  network = rootHash;
  const { indexer, source } = open(database);
  // Partitions by weight have places of their own, which the imported index has, too.
  await narrowPartitions(database);
  await database.write((session) => setFact(session, "partition_weight", "500000"));
  await indexer.run(never);
  await database.write((session) => session.run("delete from index_facts where name = 'partition_weight'"));
  grow = () => chain.rounds(2);
  continueIndex = (into) => open(into).indexer.run(never);
  modules = { ...parts, network: "testnet", source, queries: new AccountQueries(common) };
  exported = { rows: await dumpIndex(database), indexes: await database.query(indexes) };
  manifest = await exportIndex({ database, clock: systemClock }, folder, lengths);
});

afterAll(async () => {
  await database?.close();
  await kit?.close();
  rmSync(root, { recursive: true, force: true });
});

async function importInto(
  into: Database,
  from: string,
  options: Partial<ImportOptions> = {},
  signal: AbortSignal = never,
): Promise<VerifyReport> {
  return importIndex({ ...modules, database: into }, from, { network, sample: 5, ...options }, signal);
}

async function withFresh<T>(work: (into: Database) => Promise<T>): Promise<T> {
  const into = await openFresh("postgres");
  try {
    await claimNetwork(into, (await readManifest(folder)).network);
    return await work(into);
  } finally {
    await into.close();
  }
}

/** A copy of the export that a test changes. */
function copyExport(): string {
  const copy = mkdtempSync(join(root, "copy-"));
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function rewriteManifest(copy: string, change: (manifest: Record<string, unknown>) => void): void {
  const path = join(copy, "manifest.json");
  const content = JSON.parse(readFileSync(path, "utf8"));
  change(content);
  writeFileSync(path, JSON.stringify(content));
}

/** Forges a file: the manifest names its new hash. */
function forgeFile(copy: string, table: string, change: (text: string) => string): void {
  const at = manifest.files.findIndex((file) => file.table === table);
  const path = join(copy, nameOf(manifest.files[at] ?? { table, partition: undefined, part: 0 }));
  const text = change(gunzipSync(readFileSync(path)).toString());
  const bytes = gzipSync(text);
  writeFileSync(path, bytes);
  rewriteManifest(copy, (content) => {
    const [file] = (content.files as object[]).slice(at);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    Object.assign(file ?? {}, { textLength: text.length, rows: text.split("\n").length - 1, sha256 });
  });
}

/** Without the lock of writers, which the built-in engine does not need. */
const indexes = `select c.relname::text as name, regexp_replace(pg_get_indexdef(i.indexrelid), '\\w+\\.', '') as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    and c.relname not like 'index_writer%' order by 1`;

describe("an exported index", () => {
  it("has files for every table with rows, large tables several, and the blocks that its rows follow from", async () => {
    const [counts] = await database.query("select count(*) as transactions from transactions");
    const files = manifest.files.filter(({ table }) => table === "transactions");
    expect(files.length).toBeGreaterThan(1);
    expect(files.reduce((sum, { rows }) => sum + rows, 0)).toBe(Number(counts?.transactions));
    const [last] = await database.query(
      "select seqno, encode(root_hash, 'hex') as root from blocks where workchain = -1 order by seqno desc limit 1",
    );
    const [segment] = manifest.segments;
    expect([segment?.lastBlock.seqno, segment?.lastBlock.rootHash]).toEqual([last?.seqno, last?.root]);
    expect(await readManifest(folder)).toEqual(manifest);
  });

  it.each(someOf(engines, (engine) => engine === "postgres"))(
    "imported into %s gives the same rows and indexes, which an indexer continues",
    async (engine) => {
      const into = await openFresh(engine);
      try {
        await claimNetwork(into, manifest.network);
        const report = await importInto(into, folder);
        expect({ rows: await dumpIndex(into), indexes: await into.query(indexes) }).toEqual(exported);
        expect(report.differences).toEqual([]);
        expect(report.blocks).toContain(manifest.segments[0]?.lastBlock.seqno);
        await grow();
        await continueIndex(into);
        await continueIndex(database);
        expect(await dumpIndex(into)).toEqual(await dumpIndex(database));
      } finally {
        await into.close();
      }
    },
  );

  it("exported again from the imported rows has the same files", () =>
    withFresh(async (into) => {
      await importInto(into, folder);
      const again = mkdtempSync(join(root, "again-"));
      const { files } = await exportIndex({ database: into, clock: systemClock }, again, lengths);
      expect(files).toEqual(manifest.files);
    }));

  it("is refused while its import is unfinished, and continues with the next file", () =>
    withFresh(async (into) => {
      const stop = new AbortController();
      const half = Math.floor(manifest.files.length / 2);
      const stopAtHalf = (_: unknown, done: number) => done === half && stop.abort();
      await expect(importInto(into, folder, { onFile: stopAtHalf }, stop.signal)).rejects.toThrow();
      await expect(refuseUnfinishedImport(into)).rejects.toMatchObject(refused);
      const loaded: number[] = [];
      await importInto(into, folder, { onFile: (_, done) => loaded.push(done) });
      expect(loaded).toEqual(manifest.files.slice(half).map((_, index) => half + index + 1));
      await refuseUnfinishedImport(into);
      expect(await dumpIndex(into)).toEqual(exported.rows);
    }));

  it("that is unfinished is removed by a rebuild", () =>
    withFresh(async (into) => {
      const stop = new AbortController();
      const stopEarly = (file: { table: string }) => file.table === "transactions" && stop.abort();
      await expect(importInto(into, folder, { onFile: stopEarly }, stop.signal)).rejects.toThrow();
      await rebuild(into, quietModules);
      await claimNetwork(into, manifest.network);
      expect((await importInto(into, folder)).differences).toEqual([]);
    }));
});

describe("an import refuses", () => {
  it("rows that the chain does not have, and leaves the index unusable", () =>
    withFresh(async (into) => {
      const copy = copyExport();
      // The first balance gains a digit.
      forgeFile(copy, "latest_account_states", (text) => text.replace(/^(\S+\t\S+\t)(\d)/gm, "$17$2"));
      const report = await importInto(into, copy, { sample: 20 });
      expect(report.differences.map(({ table }) => table)).toContain("latest_account_states");
      await expect(refuseUnfinishedImport(into)).rejects.toMatchObject(refused);
      expect(await into.query("select 1 from segments")).toEqual([]);
    }));

  it("a masterchain block that is not the one of the manifest", () =>
    withFresh(async (into) => {
      const copy = copyExport();
      rewriteManifest(copy, (content) => {
        const [segment] = content.segments as { lastBlock: { rootHash: string } }[];
        Object.assign(segment?.lastBlock ?? {}, { rootHash: "00".repeat(32) });
      });
      await expect(importInto(into, copy)).rejects.toMatchObject(refused);
    }));

  it("a damaged file, of which nothing is loaded", () =>
    withFresh(async (into) => {
      const copy = copyExport();
      const [first] = manifest.files;
      const path = join(copy, nameOf(first ?? { table: "blocks", partition: undefined, part: 0 }));
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(path, bytes);
      await expect(importInto(into, copy)).rejects.toMatchObject(refused);
      expect(await into.query(`select 1 from ${first?.table}`)).toEqual([]);
    }));

  it("a file that unpacks to more than its manifest says", () =>
    withFresh(async (into) => {
      const copy = copyExport();
      forgeFile(copy, "blocks", (text) => text + text);
      rewriteManifest(copy, (content) => {
        for (const file of content.files as { table: string; textLength: number }[])
          if (file.table === "blocks") file.textLength >>= 1;
      });
      await expect(importInto(into, copy)).rejects.toMatchObject(refused);
    }));

  it("a missing file and a folder without a manifest", () =>
    withFresh(async (into) => {
      const copy = copyExport();
      rmSync(join(copy, nameOf(manifest.files[0] ?? { table: "", partition: undefined, part: 0 })));
      await expect(importInto(into, copy)).rejects.toMatchObject(refused);
      await expect(importInto(into, root)).rejects.toMatchObject(refused);
    }));

  it.each([
    ["of another network", (content: Record<string, unknown>) => Object.assign(content, { network: "11".repeat(32) })],
    ["with other tables", (content: Record<string, unknown>) => Object.assign(content, { layout: "11".repeat(32) })],
    ["of another format", (content: Record<string, unknown>) => Object.assign(content, { format: "tongate-index/9" })],
    [
      "that names a table which is not exported",
      (content: Record<string, unknown>) =>
        Object.assign(content, { files: [{ ...manifest.files[0], table: "../../etc/passwd" }] }),
    ],
  ])("an export %s", (_, change) =>
    withFresh(async (into) => {
      const copy = copyExport();
      rewriteManifest(copy, change);
      await expect(importInto(into, copy)).rejects.toMatchObject(refused);
    }),
  );

  it("a database that holds an index, and one in which another import is unfinished", () =>
    withFresh(async (into) => {
      await expect(importInto(database, folder)).rejects.toMatchObject(refused);
      const stop = new AbortController();
      await expect(importInto(into, folder, { onFile: () => stop.abort() }, stop.signal)).rejects.toThrow();
      const copy = copyExport();
      rewriteManifest(copy, (content) => Object.assign(content, { madeAt: 1 }));
      await expect(importInto(into, copy)).rejects.toMatchObject(refused);
    }));
});

it("an empty index is not exported", () =>
  withFresh(async (into) => {
    const empty = mkdtempSync(join(root, "empty-"));
    await expect(exportIndex({ database: into, clock: systemClock }, empty)).rejects.toMatchObject(refused);
  }));
