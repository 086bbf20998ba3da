import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { compileApp } from "../../../../kit/suite/compiledApp.ts";
import * as readyAbis from "../../../../src/api/client/contract/readyAbis.ts";
import { parseAbi } from "../../../../src/contracts/abi/parseAbi.ts";
import type { JsonValue } from "../../../../src/lib/json.ts";

it.each(["../", "../browser/"])(
  "ready-made ABIs in %s are values of their own, which need no other module",
  async (place) => {
    const path = join(dirname((await compileApp()).cli), place, "api/client/contract/readyAbis.js");
    const built: Readonly<Record<string, JsonValue>> = { ...(await import(pathToFileURL(path).href)) };
    expect(built).toEqual(JSON.parse(JSON.stringify(readyAbis)));
    expect(Object.values(built).map((each) => parseAbi(each))).toEqual(Object.values(built));
    // Whoever takes one of them takes the others from its bundle.
    const text = readFileSync(path, "utf8");
    expect(text).not.toMatch(/^import /m);
    expect(text.match(/^(?:const|var) \w+ = \{/gm)).toHaveLength(Object.keys(built).length);
  },
);
