import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { additions, type Edit, omissions } from "./kit/house/additions.ts";
import { someOf } from "./kit/suite/everything.ts";

const root = join(import.meta.dirname, "..");
const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");

/** How many files each kind of addition touches, besides its case. */
const counts: Readonly<Record<string, number>> = {
  "v2 endpoint": 1,
  "v3 endpoint": 3,
  action: 3,
  "lite-server query": 3,
  "indexed entity": 3,
  table: 3,
};

function apply(folder: string, path: string, edit: Edit): void {
  const place = join(folder, path);
  const text = existsSync(place) ? readFileSync(place, "utf8") : "";
  const edited = edit(text);
  if (edited === text) throw new Error(`${path} has no place for the addition`);
  writeFileSync(place, edited);
}

/** The errors of a copy of the sources and the case tables after some edits, by file. */
function compileCopy(edit: (folder: string) => void): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "additions-"));
  try {
    for (const path of ["src", "test/api", "test/kit", "kit", "bench", "package.json"])
      cpSync(join(root, path), join(folder, path), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const settings = {
      extends: join(root, "tsconfig.json"),
      include: ["src", "kit", "test/api/*/cases.ts", "test/kit/history"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
    edit(folder);
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.json", "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
    return stdout.split("\n").filter((line) => /^\S+\(\d+,\d+\): error/.test(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("an addition", () => {
  it.each(additions)("of a $what touches no more files than its kit needs", ({ what, edits, cases }) => {
    expect([what, Object.keys(edits).length]).toEqual([what, counts[what]]);
    expect(Object.keys(cases ?? {}).length).toBe(what.endsWith("endpoint") ? 1 : 0);
    for (const [path, edit] of Object.entries({ ...edits, ...cases })) {
      const place = join(root, path);
      const text = existsSync(place) ? readFileSync(place, "utf8") : "";
      expect([path, edit(text) !== text]).toEqual([path, true]);
    }
  });

  it("is in the table of CONTRIBUTING", () => {
    const table = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
    for (const { what } of additions) expect(table).toMatch(new RegExp(`^\\| ${what} +\\|`, "m"));
  });
});

/** The compiler reads the whole program: only with TONGATE_EVERYTHING. */
describe.each(someOf(["the compiler"], () => false))("%s", () => {
  it("takes all additions together, with nothing else changed", () => {
    const errors = compileCopy((folder) => {
      for (const { edits, cases } of additions)
        for (const [path, edit] of Object.entries({ ...edits, ...cases })) apply(folder, path, edit);
    });
    expect(errors).toEqual([]);
  });

  it("asks for every part that is left out", () => {
    const errors = compileCopy((folder) => {
      for (const { file, edit } of omissions) apply(folder, file, edit);
    });
    const silent = omissions.filter(({ file }) => !errors.some((line) => line.startsWith(`${file}(`)));
    expect(silent.map(({ what }) => what)).toEqual([]);
  });
});
