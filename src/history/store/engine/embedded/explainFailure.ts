import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isCoded } from "../../../../lib/errors.ts";
import { HistoryError } from "../../../errors.ts";
import { refuseFull } from "./diskSpace.ts";

/** How to replace a damaged database: everything in it comes from the chain. */
export const rebuildAdvice = 'run "tongate db rebuild" and index again';

const openFilesAdvice = "too many open files: raise the limit of open files (ulimit -n)";

/** What the system says about the folder of the files, by the code of its error. */
const causes: Readonly<
  Record<string, { readonly code: "history/read-only" | "history/denied"; readonly text: string }>
> = {
  EROFS: { code: "history/read-only", text: "is on a read-only file system; mount it writable" },
  EACCES: {
    code: "history/denied",
    text: "cannot be written by the user of this process; give that user write access",
  },
  EPERM: { code: "history/denied", text: "cannot be written by the user of this process; give that user write access" },
};

/**
 * The error for an engine that failed on its files. Its own words, such as "Aborted()", say nothing to an operator:
 * what the system says about the folder is tried first, and otherwise the files are damaged.
 */
export function explainFailure(cause: unknown, files: string, tryWrite: (folder: string) => void = writeProbe): Error {
  try {
    refuseFull(files);
    tryWrite(files);
  } catch (error) {
    if (isCoded(error)) return error;
    const code = String(Object(error).code);
    if (code === "EMFILE" || code === "ENFILE")
      return new HistoryError("history/database", openFilesAdvice, { cause, data: { state: code } });
    const known = causes[code];
    const where = `the folder of the built-in database, ${files},`;
    if (known !== undefined)
      return new HistoryError(known.code, `${where} ${known.text}`, { cause, data: { state: code } });
  }
  const reason = cause instanceof Error ? cause.message : String(Object(cause).message ?? cause);
  return new HistoryError(
    "history/damaged",
    `the built-in database in ${files} is damaged (${reason.split("\n", 1)[0]}); ${rebuildAdvice}`,
    { cause },
  );
}

function writeProbe(folder: string): void {
  const path = join(folder, ".tongate-probe");
  closeSync(openSync(path, "w", 0o600));
  rmSync(path);
}
