import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../lib/clock.ts";
import { type TakenFolder, takeFolder } from "../../../lib/folderLock.ts";
import type { Log } from "../../../lib/log.ts";
import { HistoryError } from "../../errors.ts";
import type { Database } from "../Database.ts";
import { databaseError } from "../databaseErrors.ts";
import { compileEngine } from "./compileEngine.ts";
import { refuseFull } from "./diskRoom.ts";
import { EmbeddedDatabase } from "./EmbeddedDatabase.ts";
import { EngineThread } from "./EngineThread.ts";
import type { CompiledEngine } from "./protocol.ts";

export interface EmbeddedModules {
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the database that is built in, in this folder; refuses with `history/locked` while another process has it. */
export async function openEmbedded(folder: string, modules: EmbeddedModules): Promise<Database> {
  const taken = take(folder);
  if (taken.kind === "held") {
    const data = taken.pid === undefined ? {} : { pid: taken.pid };
    throw new HistoryError("history/locked", `${folder} is in use by process ${taken.pid ?? "unknown"}`, { data });
  }
  try {
    const files = join(folder, "database");
    const engine = await compileEngine();
    if (!hasFiles(files)) {
      refuseFull(folder);
      await makeFiles(files, engine, modules.log);
    }
    const openThread = () => new EngineThread({ engine, folder: files, files: "made" });
    return await EmbeddedDatabase.open({
      ...modules,
      openThread,
      refuseFull: () => refuseFull(folder),
      onClose: taken.release,
    });
  } catch (error) {
    taken.release();
    throw error;
  }
}

function take(folder: string): TakenFolder {
  try {
    mkdirSync(folder, { recursive: true });
    return takeFolder(folder);
  } catch (error) {
    throw databaseError(error, `opening ${folder}`);
  }
}

/** Whether the database of a folder was made before. */
export function isMade(folder: string): boolean {
  return hasFiles(join(folder, "database"));
}

function hasFiles(files: string): boolean {
  return existsSync(join(files, "PG_VERSION"));
}

/**
 * Making the files takes more memory than using them, which only the end of a thread gives back. They come to their place
 * whole: what an attempt has left that did not end is nobody's.
 */
async function makeFiles(files: string, engine: CompiledEngine, log: Log): Promise<void> {
  if (existsSync(files) && readdirSync(files).length > 0)
    throw new HistoryError("history/database", `${files} holds files that are no database; delete it to make one`);
  log.info("making the files of the built-in database", { folder: files });
  const unfinished = `${files}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  const thread = new EngineThread({ engine, folder: unfinished, files: "new" });
  try {
    await thread.opened;
    await thread.ask({ kind: "close" });
  } finally {
    await thread.destroy(new HistoryError("history/database", "the files are made"));
  }
  if (existsSync(files)) rmdirSync(files);
  renameSync(unfinished, files);
}
