import fs from "node:fs";

/**
 * Calls `onFull` when the engine's log cannot be written. Any other PostgreSQL would end and be restarted from its
 * files; the built-in one cannot restart itself and would retry forever. The engine writes its files with these
 * functions of Node, and there is no other hook.
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
