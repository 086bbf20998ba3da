import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { AbiFolder } from "../../../../src/app/service/parts/AbiFolder.ts";
import { type FileSystem, systemFiles } from "../../../../src/lib/files/FileSystem.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { parseHash } from "../../../../src/model/Hash.ts";

const codeHash = parseHash("a".repeat(64));
const address = makeAddress(0, "b".repeat(64));
const nothing = { addresses: [], codeHashes: [], interfaces: [] };

function openFolder() {
  const data = mkdtempSync(join(tmpdir(), "abi-"));
  let now = 0;
  return {
    data,
    folder: new AbiFolder(data, { monotonic: () => now }),
    wait: (ms: number) => {
      now += ms;
    },
  };
}

it("keeps what is added for a later start", () => {
  const { data, folder } = openFolder();
  const target = { addresses: [address], codeHashes: [codeHash], interfaces: ["kind"] };
  const added = folder.add('{"name": "own", "errors": {"5": "bad"}}', target, "source text");
  expect(added).toEqual({ id: added.id, abi: { name: "own", errors: { 5: "bad" } }, target, source: "source text" });

  const later = new AbiFolder(data, { monotonic: () => 0 });
  expect(later.library().list()).toEqual([expect.objectContaining(added)]);
  expect(later.library().findSource({ codeHash, interfaces: [] })).toBe("source text");
  expect([later.remove(added.id), later.remove(added.id)]).toEqual([true, false]);
  expect(readdirSync(join(data, "abi"))).toEqual([]);
});

it("sees within a second what another process wrote", () => {
  const { data, folder, wait } = openFolder();
  expect(folder.library().list()).toEqual([]);
  new AbiFolder(data, { monotonic: () => 0 }).add('{"name": "own"}', { ...nothing, addresses: [address] });
  expect(folder.library().list()).toEqual([]);
  wait(1000);
  expect(
    folder
      .library()
      .find({ address, interfaces: [] })
      .map(({ abi }) => abi),
  ).toEqual([{ name: "own" }]);
});

it("reads only what changed", () => {
  const { data } = openFolder();
  const reads: string[] = [];
  const files: FileSystem = {
    ...systemFiles,
    open: (path, flags) => {
      reads.push(basename(path));
      return systemFiles.open(path, flags);
    },
  };
  const writer = new AbiFolder(data, { monotonic: () => 0 });
  const first = writer.add('{"name": "first"}', nothing);
  let now = 0;
  const folder = new AbiFolder(data, { monotonic: () => now }, files);
  expect(folder.library().list()).toHaveLength(1);
  const second = writer.add('{"name": "second"}', nothing);
  now += 1000;
  expect(folder.library().list()).toHaveLength(2);
  expect(reads).toEqual([`${first.id}.json`, `${second.id}.json`]);
});

it("reads files of compilers and leaves out bad ones with the reason", () => {
  const { data, folder } = openFolder();
  folder.add('{"name": "first"}', nothing);
  writeFileSync(join(data, "abi", "tact.abi"), '{"name": "t", "types": [], "receivers": [], "getters": []}');
  writeFileSync(join(data, "abi", "bad.json"), '{\n"name": 5}');
  writeFileSync(join(data, "abi", "other.txt"), "not read");
  const later = new AbiFolder(data, { monotonic: () => 0 });
  const names = later
    .library()
    .list()
    .map(({ abi }) => abi.name);
  expect(names.sort()).toEqual(["first", "t"]);
  expect(later.listBad()).toEqual([{ file: "bad.json", reason: "line 2: name: text is needed" }]);
});

it("refuses a bad file and writes nothing", () => {
  const { data, folder } = openFolder();
  expect(() => folder.add('{"name": 5}', nothing)).toThrow("line 1: name: text is needed");
  expect(readdirSync(data)).toEqual([]);
});
