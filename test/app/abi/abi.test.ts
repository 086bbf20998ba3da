import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { abi } from "../../../src/app/abi/abi.ts";
import { AbiFolder } from "../../../src/app/service/parts/AbiFolder.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { hashToBase64, parseHash } from "../../../src/model/Hash.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

const codeHash = parseHash("a".repeat(64));
const address = `0:${"b".repeat(64)}`;

function openWork() {
  const folder = mkdtempSync(join(tmpdir(), "abi-command-"));
  const run = async (...words: readonly string[]) => {
    const terminal = recordTerminal();
    await abi.run(terminal, [...words, "--data", join(folder, "data")]);
    return terminal.written();
  };
  return { folder, run };
}

it("adds a file for codes and accounts, lists it and removes it", async () => {
  const { folder, run } = openWork();
  const file = join(folder, "own.json");
  writeFileSync(file, '{"name": "own"}');
  const added: unknown = JSON.parse(await run("add", file, "--code-hash", codeHash, "--address", address, "--json"));
  const facts = { id: expect.any(String), name: "own", addresses: [address], code_hashes: [hashToBase64(codeHash)] };
  expect(added).toEqual([{ ...facts, interfaces: [] }]);
  const { id } = Object(Object(added)[0]);
  expect(await run("list")).toBe(`${id}  own  ${address} ${hashToBase64(codeHash)}\n`);
  await run("remove", id);
  expect(await run("list")).toBe("");
  await expect(run("remove", id)).rejects.toThrow(`there is no ABI ${id}; "tongate abi list" shows all`);
});

it("adds the ABIs of a build folder with the hashes of their codes", async () => {
  const { folder, run } = openWork();
  const build = join(folder, "build");
  mkdirSync(join(build, "Counter"), { recursive: true });
  const tact = { name: "Counter", types: [], receivers: [], getters: [] };
  writeFileSync(join(build, "Counter", "Counter_Counter.abi"), JSON.stringify(tact));
  writeFileSync(join(build, "Counter.compiled.json"), JSON.stringify({ hash: codeHash, hashBase64: "", hex: "b5" }));
  await run("add", build);
  expect(await run("list")).toMatch(
    new RegExp(`^[0-9a-f]{10}  Counter  ${hashToBase64(codeHash).replace("+", "\\+")}\n$`),
  );
});

it("refuses a bad file with its line and reason", async () => {
  const { folder, run } = openWork();
  const file = join(folder, "bad.abi");
  writeFileSync(file, '{\n "name": "a",\n "methods": 5\n}');
  await expect(run("add", file)).rejects.toThrow(`${file}: line 3: methods: a list is needed (abi/form)`);
  await expect(run("add", join(folder, "none"))).rejects.toThrow("none does not exist");
  await expect(run("add")).rejects.toThrow('abi takes "add FILE", "list", "remove ID" or "types FILE"');
});

it("keeps the source of a contract, with the names that its files import each other by", async () => {
  const { folder, run } = openWork();
  const [file, main, other] = ["own.json", "main.tolk", "lib.tolk"].map((name) => join(folder, name));
  if (file === undefined || main === undefined || other === undefined) throw new Error("three paths");
  writeFileSync(file, '{"name": "own"}');
  writeFileSync(main, 'import "lib"\n');
  writeFileSync(other, "// nothing");
  await run("add", file, "--code-hash", codeHash, "--source", `${main},${other}`);
  const library = new AbiFolder(join(folder, "data"), systemClock).library();
  expect(library.findSource({ codeHash, interfaces: [] })).toBe(
    '// file: main.tolk\nimport "lib"\n// file: lib.tolk\n// nothing\n',
  );
  await expect(run("add", file, "--source", join(folder, "none"))).rejects.toThrow("none is not a file");
});

it("adds the ABIs of a folder of wrappers with the codes beside it, or none of them", async () => {
  const { folder, run } = openWork();
  const [wrappers, build] = [join(folder, "wrappers"), join(folder, "build")];
  for (const each of [wrappers, build]) mkdirSync(each);
  writeFileSync(join(wrappers, "Echo.compile.ts"), "export const compile = {};");
  const tolk = { contract_name: "Echo", abi_schema_version: "1.0", unique_types: [], declarations: [] };
  writeFileSync(join(build, "echo.json"), JSON.stringify(tolk));
  writeFileSync(join(build, "Echo.compiled.json"), JSON.stringify({ hash: codeHash, hashBase64: "", hex: "b5" }));
  writeFileSync(join(build, "package.json"), "{");
  writeFileSync(join(build, "z.abi"), '{\n "name": 5\n}');
  await expect(run("add", wrappers)).rejects.toThrow(
    `${join(build, "z.abi")}: line 2: name: text is needed (abi/form)`,
  );
  expect(await run("list")).toBe("");
  rmSync(join(build, "z.abi"));
  await run("add", wrappers);
  expect(await run("list")).toBe(`${(await run("list")).slice(0, 10)}  Echo  ${hashToBase64(codeHash)}\n`);
  mkdirSync(join(folder, "empty"));
  await expect(run("add", join(folder, "empty"))).rejects.toThrow("has no ABI");
});
