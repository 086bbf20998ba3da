import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findWrongBodies } from "./kit/house/braces.ts";
import { findSubjectFault } from "./kit/house/commitSubject.ts";
import { parseFolderOrders } from "./kit/house/folderOrder.ts";
import { floors, inspectHouse, longLists, type Tree } from "./kit/house/house.ts";

const root = join(import.meta.dirname, "..");

function readTree(): Tree {
  const paths = ["src", "web", "kit", "test", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  );
  const sources = paths.filter((path) => /\.tsx?$/.test(path) && !path.startsWith("test/fixtures/"));
  return new Map(
    ["package.json", "ARCHITECTURE.md", ...sources].map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}

/** The violations in a small tree, as `rule file: detail`. */
function inspect(files: Readonly<Record<string, string>>): string[] {
  return inspectHouse(new Map(Object.entries(files))).map(({ rule, file, detail }) => `${rule} ${file}: ${detail}`);
}

/** The violations in one file, without its name. */
function inspectOne(path: string, source: string): string[] {
  // A single file has no importers, so its exports are not checked.
  return inspectHouse(new Map([[path, source]]))
    .filter(({ rule }) => rule !== "export")
    .map(({ rule, detail }) => `${rule}: ${detail}`);
}

describe("the house", () => {
  it("is in order", () => {
    expect(inspectHouse(readTree())).toEqual([]);
  });

  it("exempts no file from the line limit that is missing or short", () => {
    const tree = readTree();
    for (const path of longLists.keys()) expect(tree.get(path)?.split("\n").length ?? 0).toBeGreaterThan(400);
  });
});

describe("the last commit", () => {
  // A package or an archive has no history.
  const { status, stdout } = spawnSync("git", ["log", "-1", "--format=%s"], { cwd: root, encoding: "utf8" });

  it("has a subject of the form `room: what it does now`", () => {
    expect(status === 0 ? findSubjectFault(stdout.trim()) : undefined).toBeUndefined();
  });
});

describe("floors", () => {
  it("allow the same room and every lower floor, and nothing else", () => {
    for (const [from, own] of Object.entries(floors)) {
      for (const [to, other] of Object.entries(floors)) {
        const found = inspectOne(`src/${from}/a.ts`, `import { b } from "../${to}/b.ts";\nb();\n`);
        const direction = other > own ? "upwards" : "sideways";
        const expected =
          from === to || other < own ? [] : [`floor: ${from} imports ${direction} from ${to}: src/${to}/b.ts`];
        expect(found).toEqual(expected);
      }
    }
  });

  it.each([
    'import type { B } from "../api/b.ts";',
    'import { type B } from "../api/b.ts";',
    'import "../api/b.ts";',
    'export { b } from "../api/b.ts";\nexport const a = 1;',
    'export * from "../api/b.ts";\nexport const a = 1;',
    'export type { B } from "../api/b.ts";\nexport const a = 1;',
    'const b = await import("../api/b.ts");',
    "const b = await import(`../api/b.ts`);",
    'type B = import("../api/b.ts").B;',
    "import {\n  b,\n  // why\n  c,\n} from '../api/b.ts';",
    `const text = \`\${a} \${await import("../api/b.ts")}\`;`,
    'const a = /["\'`]/.test(b);\nimport { b } from "../api/b.ts";',
    'const half = a / 2;\nimport { b } from "../api/b.ts"; const c = 1 / 2;',
  ])("detect an import written as %j", (source) => {
    expect(inspectOne("src/chain/a.ts", source)).toEqual(["floor: chain imports upwards from api: src/api/b.ts"]);
  });

  it.each([
    '// import { b } from "../api/b.ts";',
    '/* import { b } from "../api/b.ts"; */ export const a = 1;',
    "const a = 'import { b } from \"../api/b.ts\"';",
    'const a = `import { b } from "../api/b.ts"`;',
    'const a = "\\"import { b } from \'../api/b.ts\'";',
    'const a = /import "..\\/api\\/b.ts"/;',
  ])("do not mistake %j for an import", (source) => {
    expect(inspectOne("src/chain/a.ts", source)).toEqual([]);
  });

  it("reject a computed import, one from outside, and a file outside the rooms", () => {
    expect(inspectOne("src/chain/a.ts", "await import(name);")).toEqual(["floor: imports a computed path"]);
    expect(inspectOne("src/lib/a.ts", 'import { b } from "../../test/kit/b.ts";')).toEqual([
      "floor: lib imports from outside src: test/kit/b.ts",
    ]);
    expect(inspectOne("src/a.ts", "export const a = 1;")).toEqual(["room: is not in a room of src"]);
    expect(inspectOne("src/utils/a.ts", "export const a = 1;")).toEqual(["room: is not in a room of src"]);
  });
});

describe("import cycles", () => {
  it("are rejected, also between types, each reported once by its shortest path", () => {
    const files = {
      "src/cell/a.ts": 'import { b } from "./b.ts";\nexport const a = b;',
      "src/cell/b.ts": 'import type { C } from "./c.ts";\nexport const b = 1;',
      "src/cell/c.ts": 'import { a } from "./a.ts";\nexport type C = typeof a;',
      "src/cell/d.ts": 'import { a } from "./a.ts";\nexport const d = a;',
    };
    const way = "src/cell/a.ts → src/cell/b.ts → src/cell/c.ts → src/cell/a.ts";
    const cycles = (tree: Readonly<Record<string, string>>) =>
      inspect(tree).filter((found) => found.startsWith("cycle "));
    expect(cycles(files)).toEqual([`cycle src/cell/a.ts: ${way}`]);
    expect(cycles({ ...files, "src/cell/c.ts": "export type C = 1;" })).toEqual([]);
  });

  it("of one file with itself are rejected", () => {
    expect(inspectOne("src/cell/a.ts", 'import { a } from "./a.ts";\nexport const b = a;')).toEqual([
      "cycle: src/cell/a.ts → src/cell/a.ts",
    ]);
  });
});

describe("the order of folders", () => {
  const order = "| 3 | `lite` | `.` < `tl` < `adnl`, `pool` |\n| | `web` | `parts` < `pages` |\n";
  const judge = (files: Readonly<Record<string, string>>, table = order) =>
    inspect({
      "ARCHITECTURE.md": table,
      "src/lite/errors.ts": "",
      "web/parts/a.tsx": "",
      "web/pages/b.tsx": "",
      ...files,
    })
      .filter((found) => found.startsWith("order "))
      .map((found) => found.slice("order ".length));
  const folders = { "src/lite/tl/a.ts": "", "src/lite/adnl/a.ts": "", "src/lite/pool/a.ts": "" };
  const from = (path: string) => `import type { A } from "${path}";`;

  it("is that of ARCHITECTURE.md, for every room", () => {
    const rooms = [...parseFolderOrders(readTree().get("ARCHITECTURE.md") ?? "").keys()];
    const unordered = [...Object.keys(floors), "web", "bench", "kit"].filter((room) => !rooms.includes(room));
    expect(unordered).toEqual([]);
  });

  it("allows imports from lower folders, also from folders inside one of them", () => {
    expect(
      judge({
        ...folders,
        "src/lite/tl/a.ts": from("../errors.ts"),
        "src/lite/pool/a.ts": from("../tl/deep/b.ts"),
        "src/lite/tl/deep/b.ts": "",
      }),
    ).toEqual([]);
  });

  it("rejects imports from a higher folder, from one at the same place, and from subfolders upwards", () => {
    expect(judge({ ...folders, "src/lite/tl/a.ts": from("../pool/a.ts") })).toEqual([
      "src/lite/tl/a.ts: src/lite/tl may not import src/lite/pool",
    ]);
    expect(judge({ ...folders, "src/lite/adnl/a.ts": from("../pool/a.ts") })).toEqual([
      "src/lite/adnl/a.ts: src/lite/adnl may not import src/lite/pool",
    ]);
    expect(judge({ ...folders, "src/lite/tl/deep/b.ts": from("../../adnl/a.ts") })).toEqual([
      "src/lite/tl/deep/b.ts: src/lite/tl/deep may not import src/lite/adnl",
    ]);
    expect(judge({ ...folders, "web/parts/a.tsx": from("../pages/b.tsx") })).toEqual([
      "web/parts/a.tsx: web/parts may not import web/pages",
    ]);
  });

  it("rejects folders of one place that import each other both ways", () => {
    const files = {
      ...folders,
      "src/lite/tl/one/a.ts": from("../two/a.ts"),
      "src/lite/tl/two/a.ts": "",
      "src/lite/tl/two/b.ts": from("../one/b.ts"),
      "src/lite/tl/one/b.ts": "",
    };
    expect(judge(files)).toEqual(["src/lite/tl/one: src/lite/tl/one → src/lite/tl/two → src/lite/tl/one"]);
  });

  it("names every folder or one around it, and none that is missing", () => {
    expect(judge({ ...folders, "src/lite/queries/a.ts": "" })).toEqual([
      "src/lite/queries: has no place in the order of folders",
    ]);
    expect(judge({ "src/lite/tl/a.ts": "", "src/lite/adnl/a.ts": "" })).toEqual([
      "src/lite/pool: is in the order of folders and does not exist",
    ]);
  });
});

describe("tests and benchmarks", () => {
  it("do not import each other, and what both need imports neither", () => {
    const source = (path: string) => `import { a } from "../${path}/a.ts";`;
    expect(inspectOne("test/a.test.ts", source("bench"))).toEqual(["program: test may not import bench/a.ts"]);
    expect(inspectOne("bench/a.ts", source("test"))).toEqual(["program: bench may not import test/a.ts"]);
    expect(inspectOne("kit/a.ts", source("test"))).toEqual(["program: kit may not import test/a.ts"]);
    expect(inspectOne("bench/a.ts", source("kit"))).toEqual([]);
  });
});

describe("a function", () => {
  const lines = (count: number) => "  f();\n".repeat(count);

  it("has at most 60 lines, wherever it is declared", () => {
    expect(inspectOne("src/lib/a.ts", `function a() {\n${lines(58)}}\n`)).toEqual([]);
    expect(inspectOne("src/lib/a.ts", `function a() {\n${lines(59)}}\n`)).toEqual([
      "measure: a has 61 lines, limit 60",
    ]);
    expect(inspectOne("kit/a.ts", `class A {\n  b() {\n${lines(60)}  }\n}\n`)).toEqual([
      "measure: b has 62 lines, limit 60",
    ]);
    expect(inspectOne("web/a.tsx", `const c = () => {\n${lines(60)}};\n`)).toEqual([
      "measure: c has 62 lines, limit 60",
    ]);
    expect(inspectOne("test/a.test.ts", `const c = () => {\n${lines(60)}};\n`)).toEqual([]);
  });
});

describe("an internal folder", () => {
  const source = (path: string) => `import { x } from "${path}";\nexport const a = x;`;

  it("is open to its parent and closed to all others, including tests", () => {
    expect(inspectOne("src/cell/a.ts", source("./internal/x.ts"))).toEqual([]);
    expect(inspectOne("src/cell/internal/y.ts", source("./x.ts"))).toEqual([]);
    expect(inspectOne("src/model/a.ts", source("../cell/internal/x.ts"))).toEqual([
      "internal: only src/cell/ may import src/cell/internal/x.ts",
    ]);
    expect(inspectOne("src/lite/a.ts", source("./adnl/internal/x.ts"))).toEqual([
      "internal: only src/lite/adnl/ may import src/lite/adnl/internal/x.ts",
    ]);
    expect(inspectOne("test/cell/a.test.ts", source("../../src/cell/internal/x.ts"))).toEqual([
      "internal: only src/cell/ may import src/cell/internal/x.ts",
    ]);
  });
});

describe("the fast path", () => {
  it("may be imported only from its folder", () => {
    const source = 'import { toByteText } from "../http/answers/byteText.ts";';
    expect(inspectOne("src/api/http/a.ts", source)).toEqual([]);
    expect(inspectOne("src/api/v2/a.ts", source)).toEqual([
      "fast path: only src/api/http/ may import src/api/http/answers/byteText.ts",
    ]);
  });
});

describe("a barrel file", () => {
  const refused = ["barrel: import the declaring file instead"];

  it("is rejected by its name or by its content", () => {
    expect(inspectOne("src/cell/index.ts", "export const a = 1;")).toEqual(refused);
    expect(inspectOne("src/cell/all.ts", '/** All. */\nexport * from "./a.ts";\nexport { b } from "./b.ts";')).toEqual(
      refused,
    );
    expect(inspectOne("src/cell/all.ts", 'import { b } from "./b.ts";\nexport { b };')).toEqual(refused);
    expect(inspectOne("src/cell/all.ts", 'export type { B } from "./b.ts";')).toEqual(refused);
  });

  it("is allowed if it declares something", () => {
    expect(inspectOne("src/cell/a.ts", 'export { b } from "./b.ts";\nexport const a = 1;')).toEqual([]);
    expect(inspectOne("src/app/a.ts", 'import "./b.ts";')).toEqual([]);
  });
});

describe("restricted imports and calls", () => {
  const cases: readonly [what: string, home: string, sources: readonly string[]][] = [
    [
      "the HTTP framework",
      "src/api/http/server/server.ts",
      ['import { fastify } from "fastify";', 'import type {} from "@fastify/swagger";'],
    ],
    [
      "the SQL driver",
      "src/history/store/Database.ts",
      ['import { sql } from "postgres";', 'import { PGlite } from "@electric-sql/pglite";', 'await import("pg");'],
    ],
    [
      "sockets",
      "src/lite/adnl/AdnlClient.ts",
      [
        'import { connect } from "node:net";',
        'import { connect } from "tls";',
        'import type { Socket } from "node:dgram";',
      ],
    ],
    [
      "outgoing HTTP requests",
      "src/history/metadata/fetchDocument.ts",
      [
        'import { request } from "node:https";',
        'import { lookup } from "dns/promises";',
        'import { Agent } from "undici";',
      ],
    ],
    [
      "the environment",
      "src/app/config.ts",
      [
        "const port = process.env.PORT;",
        'const port = process["env"];',
        "const { argv, env } = process;",
        'import { env } from "node:process";',
        `const text = \`\${process.env.HOME}\`;`,
      ],
    ],
    [
      "the system clock",
      "src/lib/clock.ts",
      [
        "const now = Date.now();",
        "const now = new Date();",
        "const now = new Date;",
        "const now = Date();",
        "const now = performance.now();",
        "const now = process.hrtime.bigint();",
        "setTimeout(run, 5);",
        "globalThis.setInterval(run, 5);",
        "const signal = AbortSignal.timeout(5);",
        'import { setTimeout as sleep } from "node:timers/promises";',
      ],
    ],
    [
      "system randomness",
      "src/lib/random.ts",
      [
        "const dice = Math.random();",
        'import { randomBytes } from "node:crypto";',
        'import { createHash, randomUUID as makeId } from "node:crypto";',
        "const id = crypto.randomUUID();",
        "const key = generateKeyPairSync;\nimport { generateKeyPairSync } from 'node:crypto';",
      ],
    ],
  ];

  describe.each(cases)("%s", (what, home, sources) => {
    it.each(sources)("are rejected elsewhere: %s", (source) => {
      for (const path of ["src/app/other.ts", "src/cell/other.ts"]) {
        expect(
          inspectOne(path, source).filter((found) => found.startsWith(`only here: ${what} may be used only in`)),
        ).not.toEqual([]);
      }
    });

    it.each(sources)("are allowed in their place: %s", (source) => {
      expect(inspectOne(home, source)).toEqual([]);
    });
  });

  it.each([
    "const when = new Date(1000);",
    "const when = new Date(clock.now());",
    "socket.setTimeout(5);",
    'const text = "Math.random() and process.env";',
    "// Date.now() would be wrong here",
    "const date = toDate(5);",
    'import { createHash } from "node:crypto";',
    "random.int(5);",
  ])("are not detected where there are none: %s", (source) => {
    expect(inspectOne("src/chain/a.ts", source)).toEqual([]);
  });
});

describe("packages", () => {
  it.each(["@ton/core", "@ton/ton", "@ton/crypto", "tonweb", "ton-lite-client", "vitest", "fast-check"])(
    "for tests are never used in src: %s",
    (name) => {
      const source = `import { a } from "${name}";`;
      expect(inspectOne("src/tvm/a.ts", source)).toEqual([
        `only here: a test-only package may be used only in tests: ${name}`,
      ]);
      expect(inspectOne("test/tvm/a.test.ts", source)).toEqual([]);
    },
  );

  it("used in src are declared as dependencies", () => {
    const files = {
      "package.json":
        '{"dependencies":{"pino":"1"},"optionalDependencies":{"ioredis":"1"},"devDependencies":{"left-pad":"1"}}',
      "src/lib/log.ts":
        'import { pino } from "pino";\nimport "pino/file";\nimport "node:fs";\nimport "ioredis";\nimport "left-pad";',
    };
    expect(inspect(files)).toEqual(["dependency src/lib/log.ts: not among the dependencies: left-pad"]);
  });
});

describe("the line limit", () => {
  it("allows 400 lines and no more", () => {
    expect(inspectOne("src/lib/a.ts", "f();\n".repeat(400))).toEqual([]);
    expect(inspectOne("src/lib/a.ts", "f();\n".repeat(401))).toEqual(["measure: has 401 lines, limit 400"]);
    expect(inspectOne("test/lib/a.test.ts", "f();\n".repeat(401))).toEqual([]);
  });
});

describe("a comment", () => {
  it("has at most 120 columns, unless it is a declaration of TL-B", () => {
    const words = (columns: number) => "w".repeat(columns);
    expect(inspectOne("web/a.tsx", `f();\n// ${words(117)}\n`)).toEqual([]);
    expect(inspectOne("web/a.tsx", `f();\n// ${words(118)}\n`)).toEqual(["measure: line 2 has 121 columns, limit 120"]);
    expect(inspectOne("test/a.test.ts", `  /** ${words(118)} */\n`)).toEqual([
      "measure: line 1 has 127 columns, limit 120",
    ]);
    expect(inspectOne("test/a.test.ts", `/*\n * ${words(118)}\n */\n`)).toEqual([
      "measure: line 2 has 121 columns, limit 120",
    ]);
    expect(inspectOne("src/model/A.ts", `// a$_ ${words(118)} = A;\n`)).toEqual([]);
    expect(inspectOne("web/a.ts", `f("${words(130)}");\n`)).toEqual([]);
  });
});

describe("an export", () => {
  const unused = (files: Readonly<Record<string, string>>) =>
    inspect(files).filter((found) => found.startsWith("export "));

  it("that is unused is rejected, and one that only tests use belongs to test/kit", () => {
    const files = {
      "src/lib/a.ts": "export const a = 1;\nexport function b(): void {}\nexport type C = 1;",
      "test/lib/a.test.ts": 'import { b, type C } from "../../src/lib/a.ts";',
    };
    expect(unused(files)).toEqual([
      "export src/lib/a.ts: a: nobody uses it",
      "export src/lib/a.ts: b: only tests use it",
      "export src/lib/a.ts: C: only tests use it",
    ]);
  });

  it("of a part of a table is unused if only the table has it", () => {
    const files = {
      "src/lib/a.ts": "const all = make({ a: 1, b: 2 });\nexport const { a, b } = all;",
      "src/app/a.ts": 'import { a } from "../lib/a.ts";',
    };
    expect(unused(files)).toEqual(["export src/lib/a.ts: b: nobody uses it"]);
  });

  it("is used by an import, a list of its own file, a namespace or dynamic import, and an outside program", () => {
    const files = {
      "package.json": '{"exports":{"./client":{"types":"./dist/api/client.d.ts","default":"./dist/api/client.js"}}}',
      "src/lib/a.ts": "export const a = 1;\nexport const b = 2;\nexport const all = [b];",
      "src/lib/b.ts": "export const c = 3;",
      "src/lib/c.ts": "export const d = 4;",
      "src/api/client.ts": "export const client = 5;",
      "src/app/a.ts": 'import { a, all } from "../lib/a.ts";\nimport * as rest from "../lib/b.ts";',
      "src/app/b.ts": 'const { d } = await import("../lib/c.ts");',
    };
    expect(unused(files)).toEqual([]);
  });
});

describe("an exported name", () => {
  const repeated = (files: Readonly<Record<string, string>>) =>
    inspect(files).filter((found) => found.startsWith("name "));

  it("of a type or class belongs to one file of src", () => {
    const files = {
      "src/lib/a.ts": "export interface A {}",
      "src/cell/b.ts": "export type A = 1;",
      "src/api/v2/c.ts": "export class A {}",
    };
    expect(repeated(files)).toEqual([
      "name src/cell/b.ts: A: src/lib/a.ts exports the same name",
      "name src/api/v2/c.ts: A: src/lib/a.ts exports the same name",
    ]);
  });

  it("of a value belongs to one file of its room, and in api to one file of its folder", () => {
    const files = {
      "src/cell/a.ts": "export const a = 1;",
      "src/cell/kit/b.ts": "export async function a() {}",
      "src/lite/c.ts": "export const a = 2;",
      "src/api/v2/d.ts": "export const a = 3;",
      "src/api/v3/e.ts": "export const a = 4;",
      "src/api/v3/shapes/f.ts": "export const a = 5;",
    };
    expect(repeated(files)).toEqual([
      "name src/cell/kit/b.ts: a: src/cell/a.ts exports the same name",
      "name src/api/v3/shapes/f.ts: a: src/api/v3/e.ts exports the same name",
    ]);
  });

  it("may be one value and its type, and `family` in every family", () => {
    const files = {
      "src/model/A.ts": "export const A = 1;\nexport type A = typeof A;",
      "src/contracts/families/one/family.ts": "export const family = 1;",
      "src/contracts/families/two/family.ts": "export const family = 2;",
    };
    expect(repeated(files)).toEqual([]);
  });
});

describe("a folder", () => {
  it("may have at most 25 files", () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`test/lib/${at}.test.ts`, "f();"]));
    expect(inspect(files(25))).toEqual([]);
    expect(inspect(files(26))).toEqual(["folder test/lib: has 26 files, limit 25"]);
  });
});

describe("braces", () => {
  const judge = (source: string) =>
    findWrongBodies("a.ts", source).map(({ start, end, needsBraces }) => [source.slice(start, end), needsBraces]);

  it("are around every body of more than one line, and around no other", () => {
    const wrong = [...readTree()]
      .filter(([path]) => path.endsWith(".ts"))
      .flatMap(([path, source]) => findWrongBodies(path, source).map(({ start }) => [path, source.slice(0, start)]))
      .map(([path, before]) => `${path}:${before?.split("\n").length}`);
    expect(wrong).toEqual([]);
  });

  it("are rejected around one statement on one line", () => {
    expect(judge("if (a) {\n  b();\n}")).toEqual([["{\n  b();\n}", false]]);
    expect(judge("for (const a of b) {\n  c(a);\n}")).toEqual([["{\n  c(a);\n}", false]]);
    expect(judge("if (a) b();\nfor (;;) c();\nwhile (d) e();")).toEqual([]);
  });

  it("are required around a body of more lines, and around the other branches of its if", () => {
    expect(judge("if (a)\n  b(\n    c,\n  );")).toEqual([["b(\n    c,\n  );", true]]);
    expect(judge("if (a) b();\nelse if (c) {\n  d();\n  e();\n} else f();")).toEqual([
      ["b();", true],
      ["f();", true],
    ]);
  });

  it("may stay around a comment, a declaration and a single if", () => {
    expect(judge("if (a) {\n  // why\n  b();\n}")).toEqual([]);
    expect(judge("if (a) {\n  const b = c;\n}")).toEqual([]);
    expect(judge("if (a) {\n  if (b) c();\n} else {\n  if (d) e();\n}")).toEqual([]);
  });
});
