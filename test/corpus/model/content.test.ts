import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import {
  type Content,
  Content as ContentCodec,
  contentKeys,
  contentTexts,
  loadContent,
} from "../../../src/model/content/Content.ts";
import { findHash } from "../../../src/model/Hash.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

/** A value as printed in the sample: text, or base64 if not text. */
function printed(value: unknown): string {
  return typeof value === "string" ? value : asText(asRecord(value).base64);
}

function checkOnchain(content: Content, type: unknown, data: Readonly<Record<string, unknown>>): void {
  if (content.kind !== "onchain") throw new Error("content of another kind");
  const texts = contentTexts(content.attributes);
  expect(type).toBe(texts.has("uri") ? "semichain" : "onchain");
  const known = Object.entries(data).filter(([key]) => key in contentKeys);
  expect(new Map(texts)).toEqual(new Map(known.map(([key, value]) => [key, printed(value)])));
  for (const [key, value] of Object.entries(data)) {
    const hash = findHash(key);
    if (hash === undefined) continue;
    // Values under unknown keys are compared only if they are content data.
    try {
      const bytes = content.attributes.find(hash);
      expect(Buffer.from(bytes ?? []).toString("base64")).toBe(printed(value));
    } catch (error) {
      if (!isCoded(error)) throw error;
    }
  }
}

describeCorpusPart("token contents of the corpus", "metadata/", (folder) => {
  for (const path of listFiles(folder, "metadata", ".json")) {
    for (const sample of asList(asRecord(readJson(folder, path)).samples).map(asRecord)) {
      it(`are read as expected: ${asText(sample.name)}`, () => {
        const cell = readRoot(Buffer.from(asText(sample.content_boc), "base64"));
        expect(cell.hash()).toBe(sample.hash);
        const expected = asRecord(sample.expected);
        if (expected.type === "undecodable") {
          expect(refusalCode(() => loadContent(cell))).toMatch(/^(model|cell)\//);
          return;
        }
        const content = loadContent(cell);
        if (expected.type === "offchain") expect(content).toEqual({ kind: "offchain", uri: expected.data });
        else checkOnchain(content, expected.type, asRecord(expected.data));
        const again = storeCell(ContentCodec, content);
        expect(storeCell(ContentCodec, loadCell(ContentCodec, again)).hash()).toBe(again.hash());
      });
    }
  }
});
