import { join } from "node:path";
import { expect, it } from "vitest";
import { readLiteExchanges } from "../../../kit/lite/liteExchanges.ts";
import { describeCorpusPart, listFiles, readBytes, readJson } from "../../../kit/suite/corpus.ts";
import { fromHex, toHex } from "../../../src/lib/bytes.ts";
import { liteQueries } from "../../../src/lite/tl/liteQueries.ts";
import { configInfo, masterchainInfo } from "../../../src/lite/tl/liteRecords.ts";
import { decodeQuery, encodeQuery, wrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { decode, encode } from "../../../src/lite/tl/types.ts";
import { checkBadExchange, checkExchange, isBad } from "../../kit/lite/checkExchange.ts";
import { getRecord, tlFromJson, tlToJson } from "../../kit/lite/tlJson.ts";
import { adnlRecords, consensusRecords, liteEnvelopes, liteRecords } from "../../kit/lite/tlLists.ts";

interface Golden {
  readonly constructor: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly tl_hex: string;
  readonly query_hex?: string;
}

/** The lines of a schema in the format of declarations: without comments, semicolons and line breaks. */
function schemeLines(folder: string, path: string): string[] {
  return Buffer.from(readBytes(folder, path))
    .toString("utf8")
    .replaceAll(/\/\/.*/g, "")
    .split(/;|---\w+---/)
    .map((line) => line.replaceAll(/\s+/g, " ").trim());
}

/** Types of the schema that no query returns. */
const unansweredTypes = /^liteServer\.(?:debug\.verbosity|nonfinal\.(?:candidate|validatorGroup)\w*) /;

describeCorpusPart("the lite-server schema", ["schemes/lite_api.tl", "schemes/ton_api.tl"], (folder) => {
  it("is declared completely, line by line", () => {
    const lines = schemeLines(folder, "schemes/lite_api.tl").filter(
      (line) => /^(liteServer|tonNode)\./.test(line) && !unansweredTypes.test(line),
    );
    expect(lines.length).toBeGreaterThan(70);
    expect([...liteRecords, ...liteQueries, ...liteEnvelopes].map(({ line }) => line)).toEqual(lines);
  });

  it("is carried and signed by records of the node schema", () => {
    expect(schemeLines(folder, "schemes/ton_api.tl")).toEqual(
      expect.arrayContaining([...adnlRecords, ...consensusRecords].map(({ line }) => line)),
    );
  });
});

describeCorpusPart("golden TL bytes", "protocol/tl-*.json", (folder) => {
  const files = listFiles(folder, "protocol", ".json").filter((path) => /tl-[a-z]+\.json$/.test(path));
  const cases = files.flatMap((path) => (readJson(folder, path) as { readonly cases: readonly Golden[] }).cases);

  it.each(cases)("$constructor $tl_hex", ({ constructor: name, fields, tl_hex, query_hex }) => {
    const declared = getRecord(name);
    const value = tlFromJson(declared, fields);
    expect(toHex(encode(declared.boxed, value))).toBe(tl_hex);
    expect(toHex(encode(declared.boxed, decode(declared.boxed, fromHex(tl_hex))))).toBe(tl_hex);
    if (query_hex !== undefined) {
      const { query, args } = decodeQuery(fromHex(tl_hex));
      expect(toHex(wrapQuery(encodeQuery(query, args)))).toBe(query_hex);
    }
  });
});

const answerFiles = ["masterchainInfo", "configInfo"].map((name) => `protocol/lite-server-responses/${name}.bin`);

describeCorpusPart("answers of mainnet servers", answerFiles, (folder) => {
  it("of masterchainInfo decode", () => {
    const path = "protocol/lite-server-responses/masterchainInfo";
    const { expected } = readJson(folder, `${path}.expected.json`) as { readonly expected: unknown };
    const bytes = readBytes(folder, `${path}.bin`);
    const value = decode(masterchainInfo.boxed, bytes);
    expect(tlToJson(masterchainInfo, value)).toEqual(expected);
    expect(encode(masterchainInfo.boxed, value)).toEqual(bytes);
  });

  it("of configInfo decode", () => {
    const path = "protocol/lite-server-responses/configInfo";
    const { expected } = readJson(folder, `${path}.expected.json`) as { readonly expected: Record<string, unknown> };
    const bytes = readBytes(folder, `${path}.bin`);
    const value = decode(configInfo.boxed, bytes);
    expect(tlToJson(configInfo, value)).toMatchObject({ mode: expected.mode, id: expected.id });
    expect(value.stateProof.length).toBe(expected.state_proof_length);
    expect(value.configProof.length).toBe(expected.config_proof_length);
    expect(encode(configInfo.boxed, value)).toEqual(bytes);
  });
});

describeCorpusPart("recorded lite-server exchanges", "*/lite/*.jsonl.gz", (folder) => {
  const files = listFiles(folder, ".", ".jsonl.gz").filter((path) => /(^|\/)lite\/[^/]+$/.test(path));

  it.each(files)("%s decodes to its value and encodes to the same bytes", (path) => {
    const exchanges = readLiteExchanges(join(folder, path));
    expect(exchanges.length).toBeGreaterThan(0);
    exchanges.filter((exchange) => !isBad(exchange)).forEach(checkExchange);
    exchanges.filter(isBad).forEach(checkBadExchange);
  });
});
