import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onAbort } from "../../../../lib/abort.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { throwIfAborted } from "../../../../lib/deadline.ts";
import { describeHolder, type FolderLock, takeFolder } from "../../../../lib/files/folderLock.ts";
import type { Log } from "../../../../lib/log.ts";
import { getOpenFileLimit } from "../../../../lib/process/openFileLimit.ts";
import { HistoryError } from "../../../errors.ts";
import type { Database } from "../../Database.ts";
import { databaseError } from "../../databaseErrors.ts";
import { findBadPage } from "./checkPages.ts";
import { compileEngine } from "./compileEngine.ts";
import { isAfterCrash, type MarkerModules, fileName as markerName, placeMarker, systemMarker } from "./crashMarker.ts";
import { refuseFull } from "./diskSpace.ts";
import { EmbeddedDatabase } from "./EmbeddedDatabase.ts";
import { EngineThread } from "./EngineThread.ts";
import { engineFiles } from "./engineFiles.ts";
import { explainFailure, rebuildAdvice } from "./explainFailure.ts";
import { makeFiles, refuseForeign } from "./makeFiles.ts";

export interface EmbeddedModules {
  readonly clock: Clock;
  readonly log: Log;
}

export interface EmbeddedOptions {
  /** The shortest time limit of a statement, whatever its caller wants. */
  readonly patienceMs?: number;
  /** Ends the opening at once: the process that creates files, and the engine's thread. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What becomes of a database that was open when the machine ended: it is refused, or made anew where the whole chain
   * is at hand.
   */
  readonly afterCrash?: "refuse" | "renew";
  readonly marker?: MarkerModules;
}

/** Opens the built-in database in this folder; throws `history/locked` while another process has it open. */
export async function openEmbedded(
  folder: string,
  modules: EmbeddedModules,
  { patienceMs = 10_000, signal, afterCrash = "refuse", marker = systemMarker() }: EmbeddedOptions = {},
): Promise<Database> {
  const files = join(folder, "database");
  refuseOthers(folder);
  const taken = await take(folder);
  if (taken.kind === "held") {
    const { pid } = taken.holder;
    const data = pid === undefined ? {} : { pid };
    throw new HistoryError("history/locked", `${folder} is in use by ${describeHolder(taken.holder)}`, { data });
  }
  try {
    if (hasFiles(files) && isAfterCrash(folder, marker)) await giveUpUnsynced(folder, afterCrash, modules.log);
    if (!hasFiles(files)) {
      refuseFull(folder);
      modules.log.debug("creating the files of the built-in database", { folder: files });
      await makeFiles(files, signal);
    }
    const clearMarker = place(folder, files, marker);
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
          clearMarker();
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
 * After a crash of the machine any part of what the engine wrote may be missing, because it does not wait for the disk.
 * A write that is missing whole leaves pages with good checksums and wrong rows, so that nothing of it is used.
 */
async function giveUpUnsynced(folder: string, how: "refuse" | "renew", log: Log): Promise<void> {
  const what = "the machine ended while the built-in database was open, which does not wait for the disk";
  if (how === "refuse") {
    const asIs = `remove ${join(folder, markerName)} to use it as it is`;
    throw new HistoryError("history/damaged", `${what}: ${folder} may have wrong rows; ${rebuildAdvice}; or ${asIs}`);
  }
  log.warn(`${what}; building it again from the chain`, { folder });
  rmSync(join(folder, "database"), { recursive: true, force: true });
}

function place(folder: string, files: string, marker: MarkerModules): () => void {
  try {
    return placeMarker(folder, marker);
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

/** Throws `history/database` when something else is where the database would be created. */
export function refuseOthers(folder: string): void {
  if (!isMade(folder)) refuseForeign(join(folder, "database"));
}

/** Whether the database of a folder exists. */
export function isMade(folder: string): boolean {
  return hasFiles(join(folder, "database"));
}

function hasFiles(files: string): boolean {
  return existsSync(join(files, "PG_VERSION"));
}
