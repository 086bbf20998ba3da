import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { pagedNames } from "../../../src/api/declare/clientNames.ts";
import { actionWords } from "../../../src/api/declare/fieldWords/actionWords.ts";
import { chainWords } from "../../../src/api/declare/fieldWords/chainWords.ts";
import { findFieldWords } from "../../../src/api/declare/fieldWords/findFieldWords.ts";
import { ownWords } from "../../../src/api/declare/fieldWords/ownWords.ts";
import { tokenWords } from "../../../src/api/declare/fieldWords/tokenWords.ts";
import { makeOpenApi } from "../../../src/api/declare/openapi.ts";
import { emulateApi } from "../../../src/api/emulate/envelope.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { v4Api } from "../../../src/api/v4/envelope.ts";

type Json = Readonly<Record<string, unknown>>;

const root = join(import.meta.dirname, "../../..");
const plain = (document: Json) => JSON.parse(JSON.stringify(document)) as Json;
const documents = {
  v2: plain(makeOpenApi(v2Api)),
  v3: plain(makeOpenApi(v3Api)),
  emulate: plain(makeOpenApi(emulateApi)),
  v4: plain(makeOpenApi(v4Api)),
};

/** Every field of a document, with its place and its description. */
function* fieldsIn(value: unknown, place: string): Generator<{ readonly place: string; readonly words: unknown }> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    if (name === "example") continue;
    if (name === "properties") {
      for (const [field, schema] of Object.entries(Object(each)))
        yield { place: `${place}/${field}`, words: Object(schema).description };
    }
    yield* fieldsIn(each, `${place}/${name}`);
  }
}

/** Every field as `owner.field`, in the sense of `ownWords`. */
function* ownedIn(value: unknown, owner: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    const fields = name === "properties" ? Object.entries(Object(each)) : [];
    if (name !== "properties") yield* ownedIn(each, owner);
    for (const [field, schema] of fields) {
      yield `${owner}.${field}`;
      yield* ownedIn(schema, `${owner}.${field}`);
    }
  }
}

function listOwned(document: Json): readonly string[] {
  const { components, paths } = document as { readonly components: { readonly schemas: Json }; readonly paths: Json };
  const operations = Object.values(paths).flatMap((methods) => Object.values(Object(methods)).map(Object));
  return [
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [...ownedIn(schema, name)]),
    ...operations.flatMap(({ operationId, responses }) => [
      ...ownedIn(responses[200], operationId.replace(/Post$/, "")),
    ]),
  ];
}

async function loadFamilies(): Promise<readonly object[]> {
  const folder = join(root, "src/contracts/families");
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  return Promise.all(paths.map((path) => import(pathToFileURL(join(folder, path)).href) as Promise<object>));
}

/** The declarations of both clients, as the build writes them. */
async function formatTypes(): Promise<Readonly<Record<"v2" | "v3", string>>> {
  const { formatClientTypes } = (await import(pathToFileURL(join(root, "scripts/clientTypes.mjs")).href)) as {
    formatClientTypes(modules: object): Readonly<Record<"v2" | "v3", string>>;
  };
  const { v2, v3 } = documents;
  return formatClientTypes({ v2, v3, pagedNames, findFieldWords, families: await loadFamilies() });
}

const types = await formatTypes();
const families = await loadFamilies();

describe("the fields of answers and requests", () => {
  it.each(Object.entries(documents))("have words in the OpenAPI document of %s", (_name, document) => {
    const fields = [...fieldsIn(document, "")];
    expect(fields.length).toBeGreaterThan(50);
    expect(
      fields.filter(({ words }) => typeof words !== "string" || !/\S\.$/.test(words)).map(({ place }) => place),
    ).toEqual([]);
  });

  it.each(Object.entries(types))("have words in the declarations of the client of %s", (_name, text) => {
    const lines = text.split("\n");
    const fields = lines.flatMap((line, at) =>
      /^ +readonly [^[]/.test(line) ? [{ line, before: lines[at - 1]?.trim() ?? "" }] : [],
    );
    expect(fields.length).toBeGreaterThan(500);
    expect(fields.filter(({ before }) => !/^(?:\/\*\* \S.*\. )?\*\/$/.test(before)).map(({ line }) => line)).toEqual(
      [],
    );
    // A field behind another one in its line would have no words of its own.
    expect(lines.filter((line) => (line.match(/\breadonly \w+\??:/g) ?? []).length > 1)).toEqual([]);
  });

  it("have words of their own only where there is such a field", () => {
    const kinds = families.flatMap((each) => Object.values(each)).map(Object);
    const details = kinds.flatMap(({ type, details: { schema } = {} }) => [...ownedIn(schema, type)]);
    const owned = new Set([...Object.values(documents).flatMap(listOwned), ...details]);
    expect(Object.keys(ownWords).filter((each) => !owned.has(each))).toEqual([]);
  });

  it("use every word once", () => {
    const lists = [chainWords, tokenWords, actionWords].map((words) => Object.keys(words));
    const names = lists.flat();
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const declared = JSON.stringify(documents) + types.v2 + types.v3;
    const isUsed = (name: string) => new RegExp(`(?:"${name}":|readonly "?${name}"?\\??:)`).test(declared);
    expect(names.filter((name) => !isUsed(name))).toEqual([]);
  });
});
