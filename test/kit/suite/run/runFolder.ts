import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that replaces the system's temporary folder during a test run. */
export interface RunFolder {
  readonly path: string;
  remove(): void;
}

/** Creates the folder and makes it the temporary folder of all processes started from now on. */
export function openRunFolder(): RunFolder {
  const path = mkdtempSync(join(tmpdir(), "tongate-tests-"));
  // Other users must read it, such as the one that runs PostgreSQL, which refuses root.
  chmodSync(path, 0o755);
  process.env.TMPDIR = path;
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) };
}
