import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { onAbort } from "../../../lib/abort.ts";
import type { Clock } from "../../../lib/clock.ts";
import { throwIfAborted } from "../../../lib/deadline.ts";
import { describeHolder, type FolderLock, takeFolder } from "../../../lib/files/folderLock.ts";
import type { Log } from "../../../lib/log.ts";
import { getOpenFileLimit } from "../../../lib/openFileLimit.ts";
import { HistoryError } from "../../errors.ts";
import type { Database } from "../Database.ts";
import { databaseError } from "../databaseErrors.ts";
import { compileEngine } from "./compileEngine.ts";
import { refuseFull } from "./diskSpace.ts";
import { EmbeddedDatabase } from "./EmbeddedDatabase.ts";
import { EngineThread } from "./EngineThread.ts";
import { engineFiles } from "./engineFiles.ts";
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
      onClose: taken.release,
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

/** Whether the database of a folder exists. */
export function isMade(folder: string): boolean {
  return hasFiles(join(folder, "database"));
}

function hasFiles(files: string): boolean {
  return existsSync(join(files, "PG_VERSION"));
}
