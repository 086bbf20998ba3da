import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { parseAddress } from "../../../src/model/Address.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { normalizedHash } from "../../../src/model/normalizedHash.ts";

describeCorpusPart("messages of the corpus", "messages/normalized-hash.json", (folder) => {
  it.each(listFiles(folder, "messages", "normalized-hash.json"))("have the recorded normalized hash: %s", (path) => {
    const cases = asList(asRecord(readJson(folder, path)).cases).map(asRecord);
    expect(cases.length).toBeGreaterThan(0);
    for (const { destination, body, hash_norm: expected } of cases) {
      const { address: dest } = parseAddress(asText(destination));
      const info = { kind: "externalIn", src: undefined, dest, importFee: 0n } as const;
      const hash = normalizedHash({ info, body: readRoot(Buffer.from(asText(body), "base64")) });
      expect(hashToBase64(hash)).toBe(expected);
    }
  });
});
