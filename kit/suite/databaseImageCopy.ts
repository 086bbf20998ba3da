import { copyFileSync, existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { packImage } from "../../src/history/store/engine/embedded/databaseImage.ts";
import { getTemplate } from "../history/databaseTemplate.ts";

/** Puts the image of a new database beside the programs of the engine. It is packed once from the cached database. */
export async function copyImage(programs: string): Promise<void> {
  const template = await getTemplate("all");
  const cached = `${template}.image`;
  if (!existsSync(cached)) {
    const unfinished = `${cached}.${process.pid}`;
    await packImage(join(template, "database"), unfinished);
    renameSync(unfinished, cached);
  }
  copyFileSync(cached, join(programs, "database.image"));
}
