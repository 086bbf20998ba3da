import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { buildExplorer } from "../kit/web/buildExplorer.ts";

interface Weighed {
  readonly name: string;
  readonly text: string;
  readonly raw: number;
  readonly gzip: number;
}

const kilobyte = 1024;
let folder: string;
let files: readonly Weighed[];

beforeAll(async () => {
  folder = await buildExplorer();
  files = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    // Swagger UI is shipped unchanged next to the explorer, for the API pages; the checks of proofs are loaded on
    // demand, and the test of the package weighs them.
    if (!entry.isFile() || entry.parentPath.endsWith("swagger-ui") || entry.name.startsWith("check-")) return [];
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    return [
      { name: entry.name, text: bytes.toString(), raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length },
    ];
  });
});

const weigh = (wanted: (file: Weighed) => boolean) =>
  files.filter(wanted).reduce((sum, { gzip }) => sum + gzip, 0) / kilobyte;

/** Files that the shell loads before anything is shown. */
function isFirst({ name }: Weighed): boolean {
  return name.endsWith(".js") && readFileSync(join(folder, "index.html"), "utf8").includes(name);
}

const isPanel = ({ name }: Weighed): boolean => name.startsWith("panel-");

describe("the compressed size of the explorer", () => {
  it("is within its budget: shell 2 KB, styles 7, first scripts 25, each page or panel 8, all pages 90, all panels 20", () => {
    expect(weigh(({ name }) => name === "index.html")).toBeLessThanOrEqual(2);
    expect(weigh(({ name }) => name.endsWith(".css"))).toBeLessThanOrEqual(7);
    expect(files.filter(isFirst).length).toBeGreaterThan(0);
    expect(weigh(isFirst)).toBeLessThanOrEqual(25);
    const pages = files.filter((file) => file.name.endsWith(".js") && !isFirst(file));
    expect(pages.filter(({ gzip }) => gzip > 8 * kilobyte).map(({ name, gzip }) => [name, gzip])).toEqual([]);
    // Panels of contracts come when a reader opens them.
    expect(files.filter(isPanel).length).toBeGreaterThan(0);
    expect(weigh((file) => !isPanel(file))).toBeLessThanOrEqual(90);
    expect(weigh(isPanel)).toBeLessThanOrEqual(20);
  });

  it("builds the scripts of the server's own pages without imports, because they are plain scripts", () => {
    const scripts = files.filter(({ name }) => name === "api-page.js" || name === "landing.js");
    expect(scripts.map(({ name, text }) => [name, /\bimport\b/.test(text)])).toEqual([
      ["api-page.js", false],
      ["landing.js", false],
    ]);
  });

  it("adds less than 300 KB to the package", () => {
    expect(files.reduce((sum, { raw }) => sum + raw, 0)).toBeLessThan(300 * kilobyte);
  });

  it("names no other host: everything comes from this server", () => {
    const known = /https?:\/\/(?:www\.w3\.org|example\.org)\b/g;
    for (const { name, text } of files)
      expect(text.replace(known, "").match(/https?:\/\/[a-z0-9.-]+/gi) ?? [], name).toEqual([]);
  });
});
