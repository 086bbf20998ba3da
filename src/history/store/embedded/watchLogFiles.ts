import fs from "node:fs";

/**
 * Calls `onFull` when there is no room to write the engine's log. That ends any other PostgreSQL, to be started anew from
 * its files; the built-in one has nobody to start it, and would try to end for ever. The engine writes its files by
 * these functions of the platform, and has no other place to listen at.
 */
export function watchLogFiles(onFull: (error: Error) => void): void {
  const logs = new Set<number>();
  const { openSync, closeSync, writeSync } = fs;
  fs.openSync = (path, ...rest) => {
    const file = openSync(path, ...rest);
    if (String(path).includes("pg_wal")) logs.add(file);
    return file;
  };
  fs.closeSync = (file) => {
    logs.delete(file);
    closeSync(file);
  };
  const watched = (...args: Parameters<typeof writeSync>): number => {
    try {
      return writeSync(...args);
    } catch (error) {
      if (logs.has(args[0]) && (error as NodeJS.ErrnoException).code === "ENOSPC") onFull(error as Error);
      throw error;
    }
  };
  fs.writeSync = watched as typeof writeSync;
}
