import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../web");
const entries = readdirSync(root, { recursive: true, withFileTypes: true });
const sources = entries
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));
const read = (path: string) => readFileSync(path, "utf8");

describe("the sources of the explorer", () => {
  it("are files of at most 400 lines in folders of at most 25", () => {
    expect(sources.filter((path) => read(path).split("\n").length > 400)).toEqual([]);
    const folders = new Map<string, number>();
    for (const { parentPath } of entries) folders.set(parentPath, (folders.get(parentPath) ?? 0) + 1);
    expect([...folders].filter(([, count]) => count > 25)).toEqual([]);
  });

  it("take from the server its types, in one file, and the hash of a cell", () => {
    const taken = sources.flatMap((path) => {
      const imports = read(path).matchAll(/^(import|export)( type)? [^;]*?"(?:\.\.\/)+(src\/[^"]*)";/gms);
      return [...imports].map(([, , type = " code", from]) => `${relative(root, path)}:${type} of ${from}`);
    });
    const types = taken.filter((each) => each.startsWith("api/types.ts: type of "));
    expect(types.length).toBeGreaterThan(0);
    expect(taken.filter((each) => !types.includes(each))).toEqual([
      "cells/makeCell.ts: code of src/lib/browser/sha256.ts",
    ]);
  });

  it("put no untrusted text into the page as HTML", () => {
    const unsafe =
      /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/;
    expect(sources.filter((path) => unsafe.test(read(path)))).toEqual([]);
  });

  it("link other hosts only without a referrer", () => {
    const careless = sources.filter((path) => {
      const blanks = read(path).match(/target="_blank"/g)?.length ?? 0;
      const careful = read(path).match(/target="_blank"\s+rel="noreferrer noopener"/g)?.length ?? 0;
      return blanks !== careful;
    });
    expect(careless).toEqual([]);
  });
});
