import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { makeOpenApi } from "../../../src/api/declare/openapi.ts";
import { emulateApi } from "../../../src/api/emulate/envelope.ts";
import { liteApi } from "../../../src/api/lite/envelope.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { v4Api } from "../../../src/api/v4/envelope.ts";
import { someOf } from "../../kit/suite/everything.ts";

const documents = [
  ["v2", makeOpenApi(v2Api)],
  ["v3", makeOpenApi(v3Api)],
  ["v4", makeOpenApi(v4Api)],
  ["emulate", makeOpenApi(emulateApi)],
  ["lite", makeOpenApi(liteApi)],
] as const;

const own = createRequire(import.meta.url);
const compiler = join(own.resolve("typescript/package.json"), "../bin/tsc");
/** The generator needs a TypeScript that is written in JavaScript, as Blueprint has it. */
const olderTypeScript = createRequire(own.resolve("@ton/blueprint")).resolve("typescript");

const folder = mkdtempSync(join(tmpdir(), "generators-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Types of a document, by openapi-typescript. */
function generateTypes(document: object): string {
  const hook = `export const resolve = (name, context, next) => next(name === "typescript" ? ${JSON.stringify(
    pathToFileURL(olderTypeScript).href,
  )} : name, context);`;
  const program = `
    import { register } from "node:module";
    import { text } from "node:stream/consumers";
    register("data:text/javascript," + ${JSON.stringify(encodeURIComponent(hook))});
    const { default: generate, astToString } = await import(${JSON.stringify(import.meta.resolve("openapi-typescript"))});
    process.stdout.write(astToString(await generate(JSON.parse(await text(process.stdin)))));`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    input: JSON.stringify(document),
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  expect(ran.stderr).toBe("");
  return ran.stdout;
}

it.each(someOf(documents, ([name]) => name === "v2"))(
  "openapi-typescript makes types of %s that compile and name every operation",
  (name, document) => {
    const types = generateTypes(document);
    const operations = Object.values(Object(document).paths).flatMap((path) =>
      Object.values(Object(path)).map((each): unknown => Object(each).operationId),
    );
    const uses = operations.map(
      (id, at) => `export type Answer${at} = operations[${JSON.stringify(id)}]["responses"][200];`,
    );
    writeFileSync(join(folder, `${name}.ts`), `${types}\n${uses.join("\n")}\n`);
    const options = ["--noEmit", "--strict", "--ignoreConfig", "--pretty", "false"];
    const { stdout } = spawnSync(process.execPath, [compiler, ...options, `${name}.ts`], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(stdout).toBe("");
    expect(operations).not.toEqual([]);
  },
);
