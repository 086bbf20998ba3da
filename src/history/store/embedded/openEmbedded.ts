import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../lib/clock.ts";
import { takeFolder } from "../../../lib/folderLock.ts";
import type { Log } from "../../../lib/log.ts";
import { HistoryError } from "../../errors.ts";
import type { Database } from "../Database.ts";
import { EmbeddedDatabase } from "./EmbeddedDatabase.ts";
import { EngineThread } from "./EngineThread.ts";

export interface EmbeddedModules {
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the database that is built in, in this folder; refuses with `history/locked` while another process has it. */
export async function openEmbedded(folder: string, modules: EmbeddedModules): Promise<Database> {
  mkdirSync(folder, { recursive: true });
  const taken = takeFolder(folder);
  if (taken.kind === "held") {
    const data = taken.pid === undefined ? {} : { pid: taken.pid };
    throw new HistoryError("history/locked", `${folder} is in use by process ${taken.pid ?? "unknown"}`, { data });
  }
  try {
    const files = join(folder, "database");
    await initialize(files, modules.log);
    const openThread = () => new EngineThread({ folder: files });
    return await EmbeddedDatabase.open({ ...modules, openThread, onClose: taken.release });
  } catch (error) {
    taken.release();
    throw error;
  }
}

/** Whether the database of a folder was made before. */
export function isMade(folder: string): boolean {
  return hasFiles(join(folder, "database"));
}

function hasFiles(files: string): boolean {
  return existsSync(join(files, "PG_VERSION"));
}

/** Making the files takes several times the memory of using them, which only the end of a thread gives back. */
async function initialize(files: string, log: Log): Promise<void> {
  if (hasFiles(files)) return;
  log.info("making the files of the built-in database", { folder: files });
  const thread = new EngineThread({ folder: files });
  await thread.opened;
  await thread.ask({ kind: "close" });
  await thread.destroy(new HistoryError("history/database", "the files are made"));
}
