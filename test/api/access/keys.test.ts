import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KeyFile } from "../../../src/api/access/KeyFile.ts";
import { KeyRing } from "../../../src/api/access/KeyRing.ts";
import { hashApiKey, makeApiKey, type NewKey } from "../../../src/api/access/keys.ts";
import { openLog } from "../../../src/lib/log.ts";
import { seededRandom, systemRandom } from "../../../src/lib/random.ts";
import { quietLog } from "../../kit/api/apiServer.ts";
import { bundle } from "../../kit/suite/bundle.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const facts: NewKey = { name: "shop", owner: "alice", plan: "free", networks: ["mainnet"] };

function open() {
  const folder = join(mkdtempSync(join(tmpdir(), "tongate-keys-")), "data");
  const clock = new ManualClock();
  return { folder, clock, file: new KeyFile(folder), modules: { clock, log: quietLog } };
}

function add(file: KeyFile, newKey: NewKey = facts, nowMs = 1_700_000_000_000) {
  const made = makeApiKey(newKey, nowMs, systemRandom);
  file.append(made.event);
  return made;
}

describe("a key", () => {
  it("is stored without its secret", () => {
    const { file, folder } = open();
    const { secret, event } = makeApiKey(facts, 1_700_000_000_999, seededRandom("key"));
    file.append(event);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(readFileSync(join(folder, "keys.jsonl"), "utf8")).not.toContain(secret);
    expect(statSync(join(folder, "keys.jsonl")).mode & 0o777).toBe(0o600);
    const key = { ...facts, id: event.id, hash: hashApiKey(secret), createdAt: 1_700_000_000 };
    expect(file.read()).toEqual({ keys: [{ ...key, lastUsedAt: undefined, revokedAt: undefined }], badLines: [] });
    file.append({ kind: "revoked", id: event.id, revokedAt: 5 });
    file.append({ kind: "revoked", id: event.id, revokedAt: 6 });
    file.append({ kind: "revoked", id: "none", revokedAt: 6 });
    expect(file.read().keys).toEqual([{ ...key, lastUsedAt: undefined, revokedAt: 5 }]);
  });

  it("file that does not exist has no keys", () => {
    const { file } = open();
    expect([file.stamp(), file.read()]).toEqual(["none", { keys: [], badLines: [] }]);
  });

  it("file with unknown lines keeps all other keys, also after a truncated line", () => {
    const { file, folder } = open();
    add(file);
    appendFileSync(join(folder, "keys.jsonl"), '\n{"kind":"other"}\n[]\n{"kind":"added","id":"cut');
    add(file, { ...facts, name: "second" });
    const { keys, badLines } = file.read();
    expect(keys.map(({ name }) => name)).toEqual(["shop", "second"]);
    expect(badLines).toEqual([3, 4, 5]);
  });

  it("file refuses the key of a damaged line, and no other", () => {
    const damages: Readonly<Record<string, (line: string) => string>> = {
      "a letter of the kind": (line) => line.replace("revoked", "revokfd"),
      "the kind of another line": (line) => line.replace("revoked", "added"),
      "a letter of the id": (line) =>
        line.replace(/("id":")(.)/, (_all, name, first) => `${name}${first === "0" ? "1" : "0"}`),
      "the time": (line) => line.replace('"revokedAt":5', '"revokedAt":-5'),
      "a quotation mark": (line) => line.replace('"id"', '"id'),
      "the end": (line) => line.slice(0, -4),
      "the beginning": (line) => line.slice(9),
      "a zero byte": (line) => line.replace("revokedAt", "revoked\0t"),
    };
    for (const [name, damage] of Object.entries(damages)) {
      const { file, folder } = open();
      const { id } = add(file).event;
      add(file, { ...facts, name: "second" });
      file.append({ kind: "revoked", id, revokedAt: 5 });
      const path = join(folder, "keys.jsonl");
      const lines = readFileSync(path, "utf8").split("\n");
      const [, , line = ""] = lines;
      expect([name, damage(line)]).not.toEqual([name, line]);
      writeFileSync(path, [...lines.slice(0, 2), damage(line), ...lines.slice(3)].join("\n"));
      const { keys, badLines } = file.read();
      const valid = keys.filter(({ revokedAt }) => revokedAt === undefined).map((key) => key.name);
      expect([name, valid, badLines]).toEqual([name, ["second"], [3]]);
    }
  });

  it("folder that cannot be written is reported", () => {
    const { folder } = open();
    mkdirSync(join(folder, ".."), { recursive: true });
    writeFileSync(folder, "a file where a folder should be");
    expect(refusalCode(() => add(new KeyFile(folder)))).toBe("api/key-file");
    chmodSync(folder, 0o600);
  });
});

describe("a ring of keys", () => {
  it("finds a key by its secret, records its use, and drops it within a second of its revocation", async () => {
    const { file, clock, modules } = open();
    const { secret, event } = add(file);
    const ring = KeyRing.open(file, modules);
    expect(ring.find(secret)).toMatchObject({ name: "shop", id: event.id });
    expect([ring.find("x"), ring.find(event.id), ring.find(hashApiKey(secret))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    file.append({ kind: "revoked", id: event.id, revokedAt: 1 });
    await clock.advance(1000);
    expect(ring.find(secret)).toBeUndefined();
    ring.close();
    expect(file.read().keys[0]?.lastUsedAt).toBe(1_700_000_000);
    expect(clock.waiting).toBe(0);
  });

  it("finds a key within a second after another program adds it", async () => {
    const { file, clock, modules, folder } = open();
    const ring = KeyRing.open(file, modules);
    const { secret } = add(new KeyFile(folder));
    expect(ring.find(secret)).toBeUndefined();
    await clock.advance(1000);
    expect(ring.find(secret)).toMatchObject({ owner: "alice" });
    ring.close();
  });

  it("writes uses while it runs, and never overwrites a later one with an earlier one", async () => {
    const { file, clock, modules, folder } = open();
    const { secret, event } = add(file);
    const ring = KeyRing.open(file, modules);
    ring.find(secret);
    await clock.advance(20_000);
    expect(file.readUsed()).toEqual(new Map([[event.id, 1_700_000_000]]));
    file.writeUsed(new Map([[event.id, 1_800_000_000]]));
    ring.find(secret);
    ring.close();
    expect(file.readUsed()).toEqual(new Map([[event.id, 1_800_000_000]]));
    expect(readdirSync(folder).toSorted()).toEqual(["keys-used.json", "keys.jsonl"]);
    writeFileSync(join(folder, "keys-used.json"), "nonsense");
    expect(file.read().keys[0]?.lastUsedAt).toBeUndefined();
  });
});

it("a key ring reports an unreadable file once, keeps its keys, and follows the file again when it can", async () => {
  const { file, clock, folder } = open();
  const lines: string[] = [];
  const log = openLog({ level: "info", destination: { write: (line) => lines.push(JSON.parse(line).msg) } });
  const { secret } = add(file);
  const ring = KeyRing.open(file, { clock, log });
  const path = join(folder, "keys.jsonl");
  renameSync(path, join(folder, "away"));
  // A link to itself cannot be read by anyone, whatever the permissions.
  symlinkSync("keys.jsonl", path);
  await clock.advance(20_000);
  expect(ring.find(secret)).toMatchObject({ name: "shop" });
  expect(lines).toEqual(["the key file cannot be read; the keys read before stay valid"]);
  rmSync(path);
  renameSync(join(folder, "away"), path);
  const second = add(file, { ...facts, name: "second" });
  await clock.advance(1000);
  expect(ring.find(second.secret)).toMatchObject({ name: "second" });
  ring.close();
});

it("a key ring closes even if uses cannot be written", () => {
  const { file, clock, folder, modules } = open();
  const { secret } = add(file);
  const ring = KeyRing.open(file, modules);
  ring.find(secret);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "a file where a folder should be");
  ring.close();
  expect(clock.waiting).toBe(0);
});

it("concurrent programs lose no added keys", async () => {
  const { folder } = open();
  const code = await bundle("api/access/KeyFile.ts", mkdtempSync(join(tmpdir(), "tongate-bundle-")));
  const script = `
    import { KeyFile } from ${JSON.stringify(code)};
    const file = new KeyFile(${JSON.stringify(folder)});
    for (let n = 0; n < 50; n++) {
      const id = process.argv[1] + "-" + n;
      file.append({ kind: "added", id, hash: id, name: id, owner: id, plan: "free", networks: ["*"], createdAt: n });
      file.writeUsed(new Map([[id, n]]));
    }`;
  const children = ["a", "b", "c"].map((name) =>
    spawn(process.execPath, ["--input-type=module", "-e", script, name], { stdio: "inherit" }),
  );
  const codes = await Promise.all(children.map((child) => once(child, "exit")));
  expect(codes.map(([code]) => code)).toEqual([0, 0, 0]);
  const { keys, badLines } = new KeyFile(folder).read();
  expect([keys.length, badLines]).toEqual([150, []]);
});
