import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that stands for the system's temporary one as long as the tests run. */
export interface RunFolder {
  readonly path: string;
  remove(): void;
}

/** Makes the folder and lets every process started from now on take it for the temporary one. */
export function openRunFolder(): RunFolder {
  const path = mkdtempSync(join(tmpdir(), "tongate-tests-"));
  // Others run parts of the tests as well, such as a PostgreSQL that refuses to be root's.
  chmodSync(path, 0o755);
  process.env.TMPDIR = path;
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) };
}
