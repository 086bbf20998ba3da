import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyTemplate } from "../../kit/history/databaseTemplate.ts";
import { KeyFile } from "../../src/api/access/KeyFile.ts";
import type { KeyEvent } from "../../src/api/access/keys.ts";
import { isAfterCrash, placeMarker } from "../../src/history/store/engine/embedded/crashMarker.ts";
import { openEmbedded } from "../../src/history/store/engine/embedded/openEmbedded.ts";
import { systemFiles } from "../../src/lib/files/FileSystem.ts";
import { quietModules } from "../kit/history/database.ts";
import { Crash, RememberingFiles } from "../kit/localnet/RememberingFiles.ts";

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "tongate-stores-"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const makeFolder = () => mkdtempSync(join(place, "data-"));

const keyOf = (number: number): KeyEvent => ({
  kind: "added",
  id: `key${number}`,
  hash: String(number).repeat(64),
  name: "a name",
  owner: "an owner",
  plan: "free",
  networks: ["*"],
  createdAt: 1_700_000_000,
});

/** Adds keys until the process ends at a step; returns the ids that were confirmed. */
function addUntilCrash(folder: string, files: RememberingFiles, count: number): readonly string[] {
  const confirmed: string[] = [];
  const keys = new KeyFile(join(folder, "keys"), files);
  try {
    for (let number = 1; number <= count; number++) {
      keys.append(keyOf(number));
      confirmed.push(`key${number}`);
    }
  } catch (error) {
    // The file wraps what is not its own failure.
    if (!(Object(error).cause instanceof Crash)) throw error;
  }
  return confirmed;
}

/** The ids of the keys that a loss of power leaves. */
function idsLeft(files: RememberingFiles): readonly string[] {
  const after = makeFolder();
  files.leaveSynced(after);
  return new KeyFile(join(after, "keys")).read().keys.map(({ id }) => id);
}

describe("keys after a loss of power", () => {
  it("are all that were confirmed, at whatever step it happens", () => {
    const root = makeFolder();
    const whole = new RememberingFiles(root);
    expect(addUntilCrash(root, whole, 3)).toHaveLength(3);
    for (let step = 1; step <= whole.steps; step++) {
      const folder = makeFolder();
      const files = new RememberingFiles(folder, step);
      const confirmed = addUntilCrash(folder, files, 3);
      expect([step, idsLeft(files).slice(0, confirmed.length)]).toEqual([step, confirmed]);
    }
  });

  it("are there although the file was made by a process that ended before its name was on the disk", () => {
    const folder = makeFolder();
    const files = new RememberingFiles(folder);
    files.makeFolder(join(folder, "keys"));
    files.open(join(folder, "keys", "keys.jsonl"), "a").close();
    expect(addUntilCrash(folder, files, 1)).toEqual(["key1"]);
    expect(idsLeft(files)).toEqual(["key1"]);
  });
});

describe("the marker of an open built-in database", () => {
  it("is on the disk before anything is written, and goes when everything is", () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "database", "base"), { recursive: true });
    const files = new RememberingFiles(folder);
    const clear = placeMarker(folder, { boot: "one", files });
    writeFileSync(join(folder, "database", "base", "16384"), "rows");
    const [open, closed] = [join(makeFolder(), "open"), join(makeFolder(), "closed")];
    files.leaveSynced(open);
    expect([isAfterCrash(open, { boot: "two" }), isAfterCrash(open, { boot: "one" })]).toEqual([true, false]);
    clear();
    files.leaveSynced(closed);
    expect(isAfterCrash(closed, { boot: "two" })).toBe(false);
    expect(readFileSync(join(closed, "database", "base", "16384"), "utf8")).toBe("rows");
  });
});

describe("a built-in database after a loss of power", () => {
  const before = { boot: "one", files: systemFiles };
  const after = { boot: "two", files: systemFiles };
  let lost: string;

  /**
   * Writes rows, and keeps the files as they are before the database is closed: which of them are on the disk is
   * unknown.
   */
  beforeAll(async () => {
    const folder = join(makeFolder(), "index");
    await copyTemplate("all", folder);
    const database = await openEmbedded(folder, quietModules, { marker: before });
    await database.write((session) => session.run("insert into index_facts values ('a', 'b')"));
    lost = join(makeFolder(), "lost");
    // The lock of a process that is gone is free.
    cpSync(folder, lost, { recursive: true, filter: (path) => !basename(path).startsWith("lock") });
    await database.close();
    const again = await openEmbedded(folder, quietModules, { marker: after });
    expect(await again.query("select value from index_facts where name = 'a'")).toEqual([{ value: "b" }]);
    await again.close();
  });

  it("is refused by every start, with what to do", async () => {
    const refused = {
      code: "history/damaged",
      message: expect.stringMatching(
        /may have wrong rows; run "tongate db rebuild" and index again; or remove .*opened/,
      ),
    };
    await expect(openEmbedded(lost, quietModules, { marker: after })).rejects.toMatchObject(refused);
    await expect(openEmbedded(lost, quietModules, { marker: after })).rejects.toMatchObject(refused);
  });

  it("is made anew where the whole chain is at hand", async () => {
    const folder = join(makeFolder(), "renewed");
    cpSync(lost, folder, { recursive: true });
    const database = await openEmbedded(folder, quietModules, { marker: after, afterCrash: "renew" });
    expect(await database.query("select to_regclass('index_facts') is null as is_empty")).toEqual([{ is_empty: true }]);
    await database.close();
  });

  it("is opened after a process was killed, because the machine went on", async () => {
    const folder = join(makeFolder(), "killed");
    cpSync(lost, folder, { recursive: true });
    const database = await openEmbedded(folder, quietModules, { marker: before });
    expect(await database.query("select value from index_facts where name = 'a'")).toEqual([{ value: "b" }]);
    await database.close();
  });
});
