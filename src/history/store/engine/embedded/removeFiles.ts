import { rmSync } from "node:fs";
import { join } from "node:path";
import { describeHolder, takeFolder } from "../../../../lib/files/folderLock.ts";
import { HistoryError } from "../../../errors.ts";
import { fileName as markerName } from "./crashMarker.ts";

/** Removes the files of a built-in database, whatever their state, so that the next opening creates it again. */
export async function removeFiles(folder: string): Promise<void> {
  const taken = await takeFolder(folder);
  if (taken.kind === "held")
    throw new HistoryError("history/locked", `${folder} is in use by ${describeHolder(taken.holder)}; stop it first`);
  try {
    for (const name of ["database", markerName]) rmSync(join(folder, name), { recursive: true, force: true });
  } finally {
    taken.release();
  }
}
