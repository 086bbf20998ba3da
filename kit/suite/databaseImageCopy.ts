import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { templateCache, templateName } from "../history/databaseTemplate.ts";

/**
 * Puts the image of a new database beside the programs of the engine. Making it takes many seconds, so it is made once
 * for each version of the engine and the migrations, and copied.
 */
export function copyImage(programs: string): void {
  const cached = join(templateCache, `${templateName("all")}.image`);
  if (!existsSync(cached)) makeImage(programs, cached);
  copyFileSync(cached, join(programs, "database.image"));
}

function makeImage(programs: string, image: string): void {
  mkdirSync(templateCache, { recursive: true });
  const unfinished = `${image}.${process.pid}`;
  const { status, stderr } = spawnSync(process.execPath, [join(programs, "databaseImageMaker.js"), unfinished]);
  if (status !== 0) throw new Error(`the image of the database was not made: ${stderr}`);
  renameSync(unfinished, image);
}
