import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../lib/clock.ts";
import { openLog } from "../../../lib/log.ts";
import { packImage } from "../engine/embedded/databaseImage.ts";
import { openEmbedded } from "../engine/embedded/openEmbedded.ts";
import { migrate } from "./migrate.ts";

// A program of the build: creates a database with all tables and packs its files into an image.

const [image] = process.argv.slice(2);
if (image === undefined) throw new Error("the name of the image is missing");

const folder = mkdtempSync(join(tmpdir(), "tongate-image-"));
try {
  const modules = { clock: systemClock, log: openLog({ level: "warn" }) };
  const database = await openEmbedded(folder, modules);
  await migrate(database, modules);
  await database.runAlone("checkpoint");
  await database.close();
  await packImage(join(folder, "database"), image);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
