import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { copyTemplate } from "../../kit/history/databaseTemplate.ts";
import { answerError } from "../../src/api/v3/errors.ts";
import { loadConfig, systemSources } from "../../src/app/config.ts";
import { examineDatabase } from "../../src/app/doctor/examineDatabase.ts";
import { showIndexStatus } from "../../src/app/indexing/showIndexStatus.ts";
import { planNetworks } from "../../src/app/networks/planNetworks.ts";
import { findBadPage } from "../../src/history/store/engine/embedded/checkPages.ts";
import { explainFailure } from "../../src/history/store/engine/embedded/explainFailure.ts";
import { openEmbedded } from "../../src/history/store/engine/embedded/openEmbedded.ts";
import { removeFiles } from "../../src/history/store/engine/embedded/removeFiles.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";
import { quietModules } from "../kit/history/database.ts";

const data = mkdtempSync(join(tmpdir(), "tongate-damaged-"));
const folder = join(data, "localnet", "index");
const files = join(folder, "database");
afterAll(() => rmSync(data, { recursive: true, force: true }));

const rebuild = 'run "tongate db rebuild" and index again';

/** The largest file of a table or an index. */
function largest(): string {
  const [base = ""] = readdirSync(join(files, "base")).sort((one, other) => Number(other) - Number(one));
  const sizes = readdirSync(join(files, "base", base))
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ name, size: statSync(join(files, "base", base, name)).size }));
  return join("base", base, sizes.sort((one, other) => other.size - one.size)[0]?.name ?? "");
}

/** Changes a file for the rest of the test. */
function damage(file: string, change: (bytes: Buffer) => Uint8Array): void {
  const path = join(files, file);
  const bytes = readFileSync(path);
  onTestFinished(() => {
    if (existsSync(path)) writeFileSync(path, bytes);
  });
  writeFileSync(path, change(Buffer.from(bytes)));
}

function flip(file: string, at: number): void {
  damage(file, (bytes) => {
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  });
}

describe("a built-in database", () => {
  beforeEach(async () => {
    if (!existsSync(files)) await copyTemplate("all", folder);
  });

  it("has the checksums of PostgreSQL on all its pages", async () => {
    expect(await findBadPage(files)).toBeUndefined();
  });

  it("with a flipped bit is found by doctor and by index status, and rebuilt by db rebuild", async () => {
    const file = largest();
    flip(file, 8192 + 5_000);
    const text = `the built-in database in ${files} is damaged (page 1 of ${file} fails its checksum); ${rebuild}`;
    const { config } = loadConfig(["--data", data]);
    const [plan] = planNetworks(config, systemSources.findFile);
    if (plan === undefined) throw new Error("no network is planned");
    expect(await examineDatabase(config, plan, systemClock)).toEqual([
      {
        kind: "problem",
        subject: "database",
        text,
        fix: 'see "When data is damaged" in OPERATING.md: tongate db rebuild',
      },
    ]);
    let written = "";
    const write = (more: string) => {
      written += more;
    };
    await showIndexStatus(config, { write, writeError: write, isInteractive: false } as never, { json: false });
    expect(written).toBe(`network   localnet\nplace     ${folder}\nindex     ${text}\n`);

    await removeFiles(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [
      "its version is missing",
      (at: string) => rmSync(join(at, "database", "PG_VERSION")),
      "/database contains files that are not a database; delete it to create one",
    ],
    [
      "a file is in its place",
      (at: string) => {
        rmSync(at, { recursive: true });
        writeFileSync(at, "");
      },
      " is not a folder; delete it to create a database there",
    ],
  ])("that cannot be created is found by doctor before a start says the same: %s", async (what, spoil, reason) => {
    const own = join(data, what);
    const at = join(own, "localnet", "index");
    cpSync(folder, at, { recursive: true });
    spoil(at);
    const { config } = loadConfig(["--data", own]);
    const [plan] = planNetworks(config, systemSources.findFile);
    if (plan === undefined) throw new Error("no network is planned");
    const fix = 'see "When data is damaged" in OPERATING.md: tongate db rebuild';
    const text = `${at}${reason}`;
    expect(await examineDatabase(config, plan, systemClock)).toEqual([
      { kind: "problem", subject: "database", text, fix },
    ]);
    await expect(openEmbedded(at, quietModules)).rejects.toMatchObject({ code: "history/database", message: text });
  });

  it("with a file that ends within a page is damaged", async () => {
    const file = largest();
    damage(file, (bytes) => bytes.subarray(0, 8192 * 2 + 100));
    expect(await findBadPage(files)).toEqual({ file, page: 2 });
  });

  it.each(["global/pg_control", "PG_VERSION", "global/pg_filenode.map"])(
    "without the contents of %s is refused with what to do, and v3 answers 503",
    async (file) => {
      damage(file, () => Buffer.from(file === "PG_VERSION" ? "9" : ""));
      const error = await openEmbedded(folder, quietModules).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "history/damaged" });
      expect(String(Object(error).message)).toMatch(
        new RegExp(`^the built-in database in ${files} is damaged \\(.+\\); ${rebuild}$`),
      );
      expect(answerError(error)).toEqual({
        status: 503,
        text: "the index is damaged; its operator must rebuild it",
      });
    },
  );

  it("that was open when the machine ended is used again only when its operator says so", async () => {
    writeFileSync(join(folder, "opened"), "another start of the machine");
    await expect(openEmbedded(folder, quietModules)).rejects.toMatchObject({ code: "history/damaged" });
    rmSync(join(folder, "opened"));
    await (await openEmbedded(folder, quietModules)).close();
    expect(readdirSync(folder)).toEqual(["database"]);
  });

  it("whose process was killed is not, because the system still writes what it was given", async () => {
    const database = await openEmbedded(folder, quietModules);
    const left = mkdtempSync(join(tmpdir(), "tongate-killed-"));
    // The lock of a killed process is free.
    cpSync(folder, left, { recursive: true, filter: (path) => !basename(path).startsWith("lock") });
    await database.close();
    const lines: string[] = [];
    const log = openLog({ level: "info", destination: { write: (line) => lines.push(line) } });
    await (await openEmbedded(left, { clock: systemClock, log })).close();
    expect(lines).toEqual([]);
    rmSync(left, { recursive: true });
  });
});

describe("an engine that fails on its files", () => {
  const words = new Error("Aborted(). Build with -sASSERTIONS for more info.");
  const whose = `the folder of the built-in database, ${data}, cannot be written by the user of this process; give that user write access`;
  it.each([
    [
      "EROFS",
      "history/read-only",
      `the folder of the built-in database, ${data}, is on a read-only file system; mount it writable`,
    ],
    ["EACCES", "history/denied", whose],
    ["EPERM", "history/denied", whose],
    ["EMFILE", "history/database", "too many open files: raise the limit of open files (ulimit -n)"],
    ["ENOENT", "history/damaged", `the built-in database in ${data} is damaged (${words.message}); ${rebuild}`],
  ])("says what the system says about its folder (%s)", (code, wanted, message) => {
    const error = explainFailure(words, data, () => {
      throw Object.assign(new Error(code), { code });
    });
    expect(error).toMatchObject({ code: wanted, message });
    expect(answerError(error).status).toBe(503);
  });
});
