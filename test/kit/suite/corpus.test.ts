import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import {
  describeCorpus,
  findCorpus,
  findPart,
  listFiles,
  listIndexed,
  readJson,
  readJsonLinesGz,
} from "../../../kit/suite/corpus.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tongate-corpus-"));
  mkdirSync(join(folder, "cells", "deep"), { recursive: true });
  writeFileSync(join(folder, "cells", "b.json"), '{"lt":12345678901234567890,"seqno":5}');
  writeFileSync(join(folder, "cells", "deep", "a.json"), "[1]");
  writeFileSync(join(folder, "cells", "lines.jsonl.gz"), gzipSync('{"a":1}\n\n{"b":12345678901234567890}\n'));
  writeFileSync(join(folder, "cells", "one.json.gz"), gzipSync("[2]"));
});

afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

it("the corpus is absent while the variable is unset or empty", () => {
  vi.stubEnv("TONGATE_CORPUS", undefined);
  expect(findCorpus()).toBeUndefined();
  vi.stubEnv("TONGATE_CORPUS", "");
  expect(findCorpus()).toBeUndefined();
});

it("a configured corpus must be a folder", () => {
  vi.stubEnv("TONGATE_CORPUS", folder);
  expect(findCorpus()).toBe(folder);
  vi.stubEnv("TONGATE_CORPUS", join(folder, "nowhere"));
  expect(() => findCorpus()).toThrow(/^TONGATE_CORPUS names no folder: /);
  vi.stubEnv("TONGATE_CORPUS", join(folder, "cells", "b.json"));
  expect(() => findCorpus()).toThrow(/^TONGATE_CORPUS names no folder: /);
});

it("lists files by their ending, at any depth, sorted", () => {
  expect(listFiles(folder, "cells", ".json")).toEqual([join("cells", "b.json"), join("cells", "deep", "a.json")]);
  expect(listFiles(folder, "blocks", ".boc")).toEqual([]);
});

it("reads files compressed or not, without losing digits", () => {
  expect(readJson(folder, "cells/b.json")).toEqual({ lt: 12345678901234567890n, seqno: 5 });
  expect(readJson(folder, "cells/one.json.gz")).toEqual([2]);
  expect(readJsonLinesGz(folder, "cells/lines.jsonl.gz")).toEqual([{ a: 1 }, { b: 12345678901234567890n }]);
});

it("an index lists files, folders and wildcards", () => {
  const rows = [
    "| file | what it is |",
    "|---|---|",
    "| cells/b.json, c.json | two files |",
    "| cells/deep/*.json (1) | some files |",
    "| blocks/x.boc + .expected.json | a block |",
    "| net/ (own README) | a folder |",
  ];
  writeFileSync(join(folder, "INDEX.md"), rows.join("\n"));
  expect(listIndexed(folder)).toEqual(["cells/b.json", "cells/c.json", "cells/deep/*.json", "blocks/x.boc", "net/"]);
  const states = ["cells/b.json", "cells/deep/", "cells/*.json", "cells/c.json", "blocks/*.boc", "net/lite/", "other/"];
  expect(states.map((part) => findPart(folder, part))).toEqual([
    ...["present", "present", "present", "missing", "missing", "missing", "unknown"],
  ]);
  rmSync(join(folder, "INDEX.md"));
});

describeCorpus("a corpus", (given) => {
  it("has every file that its index lists", () => {
    expect(listIndexed(given).filter((part) => findPart(given, part) !== "present")).toEqual([]);
  });

  it("that is configured has files", () => {
    expect(listFiles(given, ".", "").length).toBeGreaterThan(0);
  });
});
