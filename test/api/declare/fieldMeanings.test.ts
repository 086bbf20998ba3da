import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatClientTypes } from "../../../scripts/clientTypes.ts";
import { makeOpenApi } from "../../../src/api/declare/openapi.ts";
import { emulateApi } from "../../../src/api/emulate/envelope.ts";
import { liteApi } from "../../../src/api/lite/envelope.ts";
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
  lite: plain(makeOpenApi(liteApi)),
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

/** Whether a description has no word besides those of the name, as "The hash." of `hash` or "How much." of `amount`. */
function isEmpty(name: string, words: string): boolean {
  const match = words.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const idle = new Set([
    "the",
    "a",
    "an",
    "this",
    "its",
    "it",
    "how",
    "much",
    "many",
    "what",
    "is",
    "of",
    ...name.split("_"),
  ]);
  return match.every((word) => idle.has(word));
}

/** Those that declare fields of their own. */
const types = Object.fromEntries(
  Object.entries(await formatClientTypes(root)).filter(([, text]) => /^ +readonly /m.test(text)),
);

describe("the fields of answers and requests", () => {
  it.each(Object.entries(documents))("have words in the OpenAPI document of %s", (name, document) => {
    const fields = [...fieldsIn(document, "")];
    expect(fields.length).toBeGreaterThan(name === "lite" ? 3 : 50);
    expect(
      fields.filter(({ words }) => typeof words !== "string" || !/\S\.$/.test(words)).map(({ place }) => place),
    ).toEqual([]);
  });

  it.each(Object.entries(types))("have words in the declarations of the client, %s", (_name, text) => {
    const lines = text.split("\n");
    const fields = lines.flatMap((line, at) =>
      /^ +readonly [^[]/.test(line) ? [{ line, before: lines[at - 1]?.trim() ?? "" }] : [],
    );
    expect(fields.length).toBeGreaterThan(10);
    expect(fields.filter(({ before }) => !/^(?:\/\*\* \S.*\. )?\*\/$/.test(before)).map(({ line }) => line)).toEqual(
      [],
    );
    // A field behind another one in its line would have no words of its own; alternatives of types have no fields of
    // answers.
    const declared = lines.filter((line) => !/^ +[|:?] /.test(line));
    expect(declared.filter((line) => (line.match(/\breadonly \w+\??:/g) ?? []).length > 1)).toEqual([]);
  });

  it("say more than their names", () => {
    const all = Object.values(documents).flatMap((document) => [...fieldsIn(document, "")]);
    const empty = all.filter(({ place, words }) => isEmpty(place.split("/").at(-1) ?? "", String(words)));
    expect(empty.map(({ place, words }) => `${place}: ${words}`)).toEqual([]);
  });
});
