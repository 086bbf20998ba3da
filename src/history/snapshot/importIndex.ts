import { throwIfAborted } from "../../lib/deadline.ts";
import { HistoryError } from "../errors.ts";
import { describeScope, formatScope, type Scope } from "../scope/Scope.ts";
import { claimScope, readStored } from "../scope/storedScope.ts";
import type { Database, SqlSession } from "../store/Database.ts";
import { extendSegment, takeSegment } from "../store/schema/checkpoint.ts";
import { beginsFact, findFact, setFact } from "../store/schema/indexFacts.ts";
import { setMissing } from "../store/schema/missingParts.ts";
import type { VerifyModules, VerifyReport } from "../verify/verifySample.ts";
import { verifySample } from "../verify/verifySample.ts";
import { chooseLoader, finishTables, type TableLoader } from "./bulkTables.ts";
import {
  exportedTables,
  hashManifest,
  type IndexManifest,
  readManifest,
  type SnapshotFile,
  tableLayout,
} from "./IndexManifest.ts";
import { endImport, importFact } from "./importState.ts";
import { checkMasterBlocks } from "./masterBlocks.ts";
import { readSnapshotFile } from "./snapshotFiles.ts";

export interface ImportModules extends VerifyModules {
  /** With the tables of this version. */
  readonly database: Database;
}

export interface ImportOptions {
  /** The root hash of the zero state of the network that is to be imported. */
  readonly network: string;
  /** Masterchain blocks, and accounts of each kind, that are compared with the chain. */
  readonly sample: number;
  /** What the database is to cover; whatever the export covers when absent. */
  readonly scope?: Scope | undefined;
  readonly onFile?: (file: SnapshotFile, done: number, total: number) => void;
  readonly onVerify?: () => void;
}

/**
 * Imports an exported index into an empty database and compares a sample with the chain. Each file is a transaction, so
 * an interrupted import continues with the next file. Nobody reads or writes the index before the end: its segments are
 * recorded only when the sample is right.
 */
export async function importIndex(
  modules: ImportModules,
  folder: string,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<VerifyReport> {
  const { database } = modules;
  const manifest = await readManifest(folder);
  refuseOther(manifest, options.network);
  refuseOtherScope(manifest, options.scope);
  const lock = await database.lockWriter(signal);
  try {
    await claimScope(database, scopeOf(manifest));
    const done = await begin(database, manifest);
    await loadFiles(database, folder, manifest, { ...options, done }, AbortSignal.any([signal, lock.lost]));
    await finishTables(database, manifest);
    await checkMasterBlocks(database, manifest);
    options.onVerify?.();
    const report = await verify(modules, manifest, options.sample, signal);
    if (report.differences.length === 0) await database.write((session) => recordSegments(session, manifest));
    return report;
  } finally {
    await lock.release();
  }
}

function refuseOther(manifest: IndexManifest, network: string): void {
  if (manifest.network !== network) {
    const message = `the export belongs to the network with the zero state ${manifest.network}, not ${network}`;
    throw new HistoryError("history/snapshot", message);
  }
  if (manifest.layout !== tableLayout()) {
    const message = "the export was made by a version of the program with other tables: use that version";
    throw new HistoryError("history/snapshot", message);
  }
}

function scopeOf({ scope }: IndexManifest): Scope | undefined {
  return scope === undefined ? undefined : readStored(scope);
}

function refuseOtherScope(manifest: IndexManifest, scope: Scope | undefined): void {
  if (scope === undefined || manifest.scope === formatScope(scope)) return;
  const made = scopeOf(manifest);
  const covers = made === undefined ? "the whole chain" : `only ${describeScope(made)}`;
  const message = `the export covers ${covers}, but --scope covers ${describeScope(scope)}: use the scope file of the export, or another export`;
  throw new HistoryError("history/snapshot", message);
}

/** Returns how many files an interrupted import has loaded; prepares an empty database for a new one. */
function begin(database: Database, manifest: IndexManifest): Promise<number> {
  const id = hashManifest(manifest);
  return database.write(async (session) => {
    const [known, done] = (await findFact(session, importFact))?.split(" ") ?? [];
    if (known === undefined) {
      await refuseFilled(session);
      await chooseLoader(database).prepare(session);
      await setMissing(session, "validators", manifest.withoutValidators ?? []);
      await setMissing(session, "pools", manifest.withoutPools ?? []);
      await setFact(session, importFact, `${id} 0`);
      return 0;
    }
    if (known === id) return Number(done);
    const way = "finish it, or remove it with tongate db rebuild";
    throw new HistoryError(
      "history/snapshot",
      `the import of another export into this database is not finished: ${way}`,
    );
  });
}

async function refuseFilled(session: SqlSession): Promise<void> {
  const [row] = await session.query(
    "select exists (select 1 from segments) or exists (select 1 from blocks) as filled",
  );
  if (row?.filled !== true) return;
  const message = "the database already contains an index: give an empty one, or empty it with tongate db rebuild";
  throw new HistoryError("history/snapshot", message);
}

interface LoadOptions extends Pick<ImportOptions, "onFile"> {
  readonly done: number;
}

async function loadFiles(
  database: Database,
  folder: string,
  manifest: IndexManifest,
  { done, onFile = () => {} }: LoadOptions,
  signal: AbortSignal,
): Promise<void> {
  const { files } = manifest;
  const id = hashManifest(manifest);
  const loader = chooseLoader(database);
  for (const [at, file] of files.entries()) {
    if (at < done) continue;
    throwIfAborted(signal);
    const next = files[at + 1];
    const isLast = next?.table !== file.table || next.partition !== file.partition;
    await database.write(async (session) => {
      await loadFile(session, folder, file, loader);
      if (isLast && file.partition !== undefined) await loader.fill(session, file.table, file.partition);
      await setFact(session, importFact, `${id} ${at + 1}`);
    });
    onFile(file, at + 1, files.length);
  }
}

/** Characters of one COPY: the text exists several times in memory. */
const maxCopied = 1 << 19;

async function loadFile(session: SqlSession, folder: string, file: SnapshotFile, loader: TableLoader): Promise<void> {
  const names = exportedTables.get(file.table)?.names ?? [];
  const target = await loader.target(session, file);
  let text = "";
  for await (const piece of readSnapshotFile(folder, file)) {
    text += piece;
    if (text.length < maxCopied) continue;
    await session.copy(target, names, text);
    text = "";
  }
  if (text !== "") await session.copy(target, names, text);
}

function verify(
  modules: ImportModules,
  manifest: IndexManifest,
  count: number,
  signal: AbortSignal,
): Promise<VerifyReport> {
  const { segments } = manifest;
  const kept = segments.map(({ firstBlock, nextSeqno }) => ({ firstSeqno: firstBlock.seqno, nextSeqno }));
  return verifySample(modules, { count, segments: kept, scope: scopeOf(manifest) }, signal);
}

async function recordSegments(session: SqlSession, { segments, historyBegins }: IndexManifest): Promise<void> {
  for (const { firstSeqno, nextSeqno } of segments)
    await extendSegment(session, await takeSegment(session, firstSeqno), nextSeqno);
  if (historyBegins !== undefined) await setFact(session, beginsFact, String(historyBegins));
  await endImport(session);
}
