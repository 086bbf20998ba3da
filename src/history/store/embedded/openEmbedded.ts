import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { onAbort } from "../../../lib/abort.ts";
import type { Clock } from "../../../lib/clock.ts";
import { throwIfAborted } from "../../../lib/deadline.ts";
import { describeHolder, type FolderLock, takeFolder } from "../../../lib/files/folderLock.ts";
import type { Log } from "../../../lib/log.ts";
import { getOpenFileLimit } from "../../../lib/process/openFileLimit.ts";
import { HistoryError } from "../../errors.ts";
import type { Database } from "../Database.ts";
import { databaseError } from "../databaseErrors.ts";
import { findBadPage } from "./checkPages.ts";
import { compileEngine } from "./compileEngine.ts";
import { type CrashMarker, placeMarker } from "./crashMarker.ts";
import { refuseFull } from "./diskSpace.ts";
import { EmbeddedDatabase } from "./EmbeddedDatabase.ts";
import { EngineThread } from "./EngineThread.ts";
import { engineFiles } from "./engineFiles.ts";
import { explainFailure } from "./explainFailure.ts";
import { makeFiles } from "./makeFiles.ts";

export interface EmbeddedModules {
  readonly clock: Clock;
  readonly log: Log;
}

export interface EmbeddedOptions {
  /** The shortest time limit of a statement, whatever its caller wants. */
  readonly patienceMs?: number;
  /** Ends the opening at once: the process that creates files, and the engine's thread. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens the built-in database in this folder; throws `history/locked` while another process has it open. */
export async function openEmbedded(
  folder: string,
  modules: EmbeddedModules,
  { patienceMs = 10_000, signal }: EmbeddedOptions = {},
): Promise<Database> {
  const taken = await take(folder);
  if (taken.kind === "held") {
    const { pid } = taken.holder;
    const data = pid === undefined ? {} : { pid };
    throw new HistoryError("history/locked", `${folder} is in use by ${describeHolder(taken.holder)}`, { data });
  }
  try {
    const files = join(folder, "database");
    if (!hasFiles(files)) {
      refuseFull(folder);
      modules.log.debug("creating the files of the built-in database", { folder: files });
      await makeFiles(files, signal);
    }
    const marker = await markOpened(folder, files, modules.log);
    throwIfAborted(signal);
    const engine = await compileEngine();
    throwIfAborted(signal);
    const openThread = () => {
      const thread = new EngineThread({ engine, folder: files, maxFiles: engineFiles(getOpenFileLimit()) });
      const stopListening = onAbort(signal, (reason) => void thread.destroy(reason));
      void thread.gone.then(stopListening);
      return thread;
    };
    return await EmbeddedDatabase.open({
      ...modules,
      openThread,
      patienceMs,
      refuseFull: () => refuseFull(folder),
      onClose: () => {
        try {
          marker.clear();
        } finally {
          taken.release();
        }
      },
    });
  } catch (error) {
    taken.release();
    throw error;
  }
}

async function take(folder: string): Promise<FolderLock> {
  try {
    mkdirSync(folder, { recursive: true });
    return await takeFolder(folder);
  } catch (error) {
    throw databaseError(error, `opening ${folder}`);
  }
}

/**
 * Marks the database as open. After a crash of the machine its pages are compared with their checksums: the engine does
 * not wait for the disk, so that some of what it wrote last may be missing.
 */
async function markOpened(folder: string, files: string, log: Log): Promise<CrashMarker> {
  const marker = place(folder, files);
  if (!marker.isAfterCrash) return marker;
  const advice = '"tongate index verify --sample 100" compares it with the chain, "tongate db rebuild" makes it anew';
  log.warn("the machine ended while the built-in database was open, which does not wait for the disk", { advice });
  await refuseDamaged(folder);
  log.info("all pages of the built-in database have their checksums");
  return marker;
}

function place(folder: string, files: string): CrashMarker {
  try {
    return placeMarker(folder);
  } catch (error) {
    throw explainFailure(error, files);
  }
}

/** Throws `history/damaged` when a page of the database in this folder is not as it was written. */
export async function refuseDamaged(folder: string): Promise<void> {
  const files = join(folder, "database");
  const bad = await findBadPage(files);
  if (bad === undefined) return;
  throw explainFailure(new Error(`page ${bad.page} of ${bad.file} fails its checksum`), files);
}

/** Whether the database of a folder exists. */
export function isMade(folder: string): boolean {
  return hasFiles(join(folder, "database"));
}

function hasFiles(files: string): boolean {
  return existsSync(join(files, "PG_VERSION"));
}
