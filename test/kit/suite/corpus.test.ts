import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { describeCorpus, findCorpus, listFiles, readJson, readJsonLinesGz } from "./corpus.ts";

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

it("a corpus that is set must be a folder", () => {
  vi.stubEnv("TONGATE_CORPUS", folder);
  expect(findCorpus()).toBe(folder);
  vi.stubEnv("TONGATE_CORPUS", join(folder, "nowhere"));
  expect(() => findCorpus()).toThrow(/^TONGATE_CORPUS names no folder: /);
  vi.stubEnv("TONGATE_CORPUS", join(folder, "cells", "b.json"));
  expect(() => findCorpus()).toThrow(/^TONGATE_CORPUS names no folder: /);
});

it("files are listed by ending, at any depth, in order", () => {
  expect(listFiles(folder, "cells", ".json")).toEqual([join("cells", "b.json"), join("cells", "deep", "a.json")]);
  expect(listFiles(folder, "blocks", ".boc")).toEqual([]);
});

it("files are read packed or not, with every digit", () => {
  expect(readJson(folder, "cells/b.json")).toEqual({ lt: 12345678901234567890n, seqno: 5 });
  expect(readJson(folder, "cells/one.json.gz")).toEqual([2]);
  expect(readJsonLinesGz(folder, "cells/lines.jsonl.gz")).toEqual([{ a: 1 }, { b: 12345678901234567890n }]);
});

describeCorpus("a corpus", (given) => {
  it("that is set has files", () => {
    expect(listFiles(given, ".", "").length).toBeGreaterThan(0);
  });
});
