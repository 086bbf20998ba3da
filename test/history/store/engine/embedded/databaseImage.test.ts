import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyTemplate } from "../../../../../kit/history/databaseTemplate.ts";
import { copyImage } from "../../../../../kit/suite/databaseImageCopy.ts";
import { unpackImage } from "../../../../../src/history/store/engine/embedded/databaseImage.ts";
import { openEmbedded } from "../../../../../src/history/store/engine/embedded/openEmbedded.ts";
import { findOpen } from "../../../../../src/history/store/migrate/migrate.ts";
import { quietModules } from "../../../../kit/history/database.ts";

/** All paths in a folder with the bytes of files; empty for folders. */
function listTree(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    paths.map((path) => {
      const place = join(folder, path);
      return [path, statSync(place).isDirectory() ? "folder" : readFileSync(place).toString("base64")];
    }),
  );
}

describe("an image of the built-in database", () => {
  let folder: string;
  let image: string;
  const made = () => join(folder, "made", "database");
  const emptyFolder = (name: string): string => {
    mkdirSync(join(folder, name, "database"), { recursive: true });
    return join(folder, name, "database");
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tongate-image-"));
    image = join(folder, "database.image");
    await copyTemplate("all", join(folder, "made"));
    await copyImage(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("has every file and folder, including empty ones", async () => {
    const unpacked = emptyFolder("equal");
    expect(await unpackImage(image, unpacked)).toBe(true);
    expect(listTree(unpacked)).toEqual(listTree(made()));
  });

  it("opens as a database with nothing to migrate", async () => {
    await unpackImage(image, emptyFolder("opened"));
    const database = await openEmbedded(join(folder, "opened"), quietModules);
    try {
      expect(await findOpen(database)).toEqual([]);
      expect(await database.query("select count(*) from segments")).toEqual([{ count: 0n }]);
    } finally {
      await database.close();
    }
  });

  it("is not used if it is missing, or if another engine made it", async () => {
    const unpacked = emptyFolder("other");
    expect(await unpackImage(join(folder, "absent.image"), unpacked)).toBe(false);
    const text = brotliDecompressSync(readFileSync(image)).toString("latin1");
    const other = join(folder, "other.image");
    const changed = text.replace(/^\{"engine":"[^"]+"/, '{"engine":"0.0.0"');
    writeFileSync(other, brotliCompressSync(Buffer.from(changed.slice(0, 1e5), "latin1")));
    expect(await unpackImage(other, unpacked)).toBe(false);
    expect(readdirSync(unpacked)).toEqual([]);
  });

  it("is rejected if it is truncated", async () => {
    const cut = join(folder, "cut.image");
    const whole = readFileSync(image);
    writeFileSync(cut, whole.subarray(0, whole.length / 2));
    await expect(unpackImage(cut, emptyFolder("cut"))).rejects.toThrow();
    const short = join(folder, "short.image");
    writeFileSync(short, brotliCompressSync(brotliDecompressSync(whole).subarray(0, 1e6), { params: { 1: 1 } }));
    await expect(unpackImage(short, emptyFolder("short"))).rejects.toThrow("the image of the database is incomplete");
  });

  it("stops when the caller aborts", async () => {
    const leaving = new AbortController();
    const unpacked = emptyFolder("left");
    leaving.abort();
    await expect(unpackImage(image, unpacked, leaving.signal)).rejects.toMatchObject({ code: "lib/aborted" });
    expect(readdirSync(unpacked)).not.toContain("PG_VERSION");
  });
});
