import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { makeOpenApi } from "../src/api/declare/openapi.ts";
import { emulateApi } from "../src/api/emulate/envelope.ts";
import { liteApi } from "../src/api/lite/envelope.ts";
import { makeLocalApi } from "../src/api/local/localVersion.ts";
import { v2Api } from "../src/api/v2/envelope.ts";
import { v3Api } from "../src/api/v3/envelope.ts";
import { v4Api } from "../src/api/v4/envelope.ts";
import { commands } from "../src/app/commands/list.ts";
import { options } from "../src/app/config.ts";
import { flagOf, parseFlags } from "../src/app/options.ts";
import { parseCommandLine } from "../src/app/terminal/commandLine.ts";

const root = join(import.meta.dirname, "..");
const documents = readdirSync(root).filter((name) => name.endsWith(".md"));
const read = (name: string) => readFileSync(join(root, name), "utf8");
const operating = read("OPERATING.md");
const files = ["src", "kit", "test", "bench", "scripts"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
);

describe("ARCHITECTURE.md", () => {
  const text = read("ARCHITECTURE.md");

  it("is a map of at most 200 lines", () => {
    expect(text.split("\n").length).toBeLessThanOrEqual(201);
  });

  it("names only files that are there, from the room of its section, from src or from the root", () => {
    const wrong = text.split(/^(?=## )/m).flatMap((section) => {
      const [, room = ""] = /^## (\w+)/.exec(section) ?? [];
      const named = section.match(/(?<=`)[\w./-]+\.(?:ts|mjs)(?=`)/g) ?? [];
      const bases = [join("src", room), "src", "scripts", "."];
      return named.filter((path) => !bases.some((base) => existsSync(join(root, base, path))));
    });
    expect(wrong).toEqual([]);
  });
});

describe("the documents", () => {
  it("explain every setting", () => {
    const spelled = Object.entries(options).map(([name, { isFileOnly }]) => (isFileOnly ? `"${name}"` : flagOf(name)));
    expect(spelled.filter((each) => !operating.includes(`\`${each}\``))).toEqual([]);
  });

  it("explain exactly the metrics in the sources", () => {
    const sources = files.filter((path) => path.startsWith("src") && path.endsWith(".ts")).map(read);
    const named = sources.flatMap((text) => text.match(/tongate_[a-z0-9_]*[a-z0-9]/g) ?? []);
    // Names that are composed from a prefix and a list.
    const begun = /^tongate_(?:index|metadata|answer_cache)(?:_|$)|^tongate_[a-z0-9]+_waiting$/;
    const explained = new Set(operating.match(/tongate_[a-z0-9_]*[a-z0-9]/g) ?? []);
    expect([...new Set(named)].filter((name) => !begun.test(name) && !explained.has(name))).toEqual([]);
    expect([...explained].filter((name) => !begun.test(name) && !named.includes(name))).toEqual([]);
  });

  it("explain exactly the codes with which a client refuses a proof", () => {
    const declared = read("src/api/client/verify/UnprovedError.ts").match(/(?<=^ {2}")verify\/[a-z-]+(?=":)/gm) ?? [];
    const [, table = ""] = /### Why an answer is refused\n([^#]*)/.exec(read("docs/proofs.md")) ?? [];
    const explained = table.match(/(?<=`)verify\/[a-z-]+(?=`)/g) ?? [];
    expect(explained.sort()).toEqual(declared.sort());
    expect(declared.length).toBeGreaterThan(15);
  });

  it("explain every possible status", () => {
    const versions = [
      makeOpenApi(v2Api),
      makeOpenApi(v3Api),
      makeOpenApi(v4Api),
      makeOpenApi(emulateApi),
      makeOpenApi(liteApi),
      makeOpenApi(makeLocalApi("loopback")),
    ];
    const paths = versions.flatMap(({ paths }) => Object.values(Object(paths)).map(Object));
    const statuses = paths.flatMap((path) =>
      Object.values(path).flatMap((each) => Object.keys(Object(each).responses)),
    );
    const rows = operating.split("\n").filter((line) => /^\| [0-9]{3}/.test(line));
    const explained = new Set(rows.flatMap((row) => row.split("|")[1]?.match(/[0-9]{3}/g) ?? []));
    expect([...new Set(statuses)].filter((status) => status !== "200" && !explained.has(status))).toEqual([]);
  });

  it.each(documents)("of %s name only existing files", (name) => {
    const named = read(name).match(/`[A-Za-z0-9_./-]+\.(?:ts|mjs|md)`/g) ?? [];
    const missing = named.map((text) => text.slice(1, -1)).filter((path) => !isThere(path));
    const linked = [...read(name).matchAll(/\]\(([^):#]+)\)/g)].map(([, path = ""]) => path);
    expect([...missing, ...linked.filter((path) => !existsSync(resolve(root, dirname(name), path)))]).toEqual([]);
  });

  it.each(documents)("of %s have only valid command lines", (name) => {
    const lines = read(name).match(/^(?:npm start|tongate)(?: .*)?$/gm) ?? [];
    for (const line of lines) {
      const words = line.replace(/\s+#.*$/, "").match(/"[^"]*"|\S+/g) ?? [];
      const args = words.slice(words[0] === "tongate" ? 1 : words[2] === "--" ? 3 : 2);
      const request = parseCommandLine(commands, args);
      if (request.kind !== "run") continue;
      const { command, args: rest } = request;
      expect(() => parseFlags(rest, { ...command.options, ...command.settings }), line).not.toThrow();
    }
  });
});

/** Names that stand for any file, or for one that must not exist. */
const examples = new Set(["PascalCase.ts", "camelCase.ts", "index.ts"]);

/** A file by its path from the root, from `src/`, or by its end: documents omit parts that are clear from context. */
function isThere(path: string): boolean {
  return (
    examples.has(path) ||
    existsSync(join(root, path)) ||
    files.some((file) => file === path || file.endsWith(`/${path}`))
  );
}
