import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { root } from "./build.mjs";
import { bundle } from "./bundle.mjs";

/** `npm run compare:openapi -- FILE`: ends with 1 when the published document has something that ours lacks. */
async function compareFile(path) {
  const folder = join(root, ".build", "compare");
  try {
    const input = { compare: join(root, "scripts", "compareOpenApi.ts") };
    await bundle({ base: root, folder, input, chunks: "chunks" });
    const { compareWithOurs } = await import(pathToFileURL(join(folder, "compare.js")).href);
    // JSON is YAML, too.
    const { text, isLevel } = compareWithOurs(parse(readFileSync(path, "utf8"), { maxAliasCount: 0 }));
    process.stdout.write(text);
    return isLevel ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${path} cannot be compared: ${error.message}\n`);
    return 2;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [path, ...more] = process.argv.slice(2);
if (path === undefined || more.length > 0) {
  process.stderr.write("usage: npm run compare:openapi -- FILE (an OpenAPI 3 or Swagger 2 document, JSON or YAML)\n");
  process.exitCode = 2;
} else process.exitCode = await compareFile(path);
