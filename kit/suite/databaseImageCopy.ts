import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { packImage } from "../../src/history/store/engine/embedded/databaseImage.ts";
import { getTemplate } from "../history/databaseTemplate.ts";

/** Another way to pack gives another name. */
const packer = join(import.meta.dirname, "../../src/history/store/engine/embedded/databaseImage.ts");

/** Puts the image of a new database beside the programs of the engine. It is packed once from the cached database. */
export async function copyImage(programs: string): Promise<void> {
  const template = await getTemplate("all");
  const cached = `${template}-${createHash("sha256").update(readFileSync(packer)).digest("hex").slice(0, 16)}.image`;
  if (!existsSync(cached)) {
    const unfinished = `${cached}.${process.pid}`;
    await packImage(join(template, "database"), unfinished);
    renameSync(unfinished, cached);
  }
  copyFileSync(cached, join(programs, "database.image"));
}
