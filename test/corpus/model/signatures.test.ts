import { createHash, createPublicKey, verify } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readBytes, readJson, reportAbsent } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { Block } from "../../../src/model/block/Block.ts";
import { findConfigParam } from "../../../src/model/config/ConfigParams.ts";
import type { ValidatorSet } from "../../../src/model/config/ValidatorSet.ts";

const keyPrefix = Buffer.from("302a300506032b6570032100", "hex");

function isSigned(publicKey: string, data: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.concat([keyPrefix, Buffer.from(publicKey, "hex")]);
  return verify(null, data, createPublicKey({ key: der, format: "der", type: "spki" }), signature);
}

/** Short node ids of the masterchain validators with their keys and weights. */
function mainValidators(set: ValidatorSet): Map<string, { publicKey: string; weight: bigint }> {
  const list = set.list.entries({ limit: set.main }).map(([, { publicKey, weight }]) => {
    const id = createHash("sha256")
      .update(Buffer.from(`c6b41348${publicKey}`, "hex"))
      .digest("base64");
    return [id, { publicKey, weight }] as const;
  });
  return new Map(list);
}

/** The key block with the validators of a recorded block. */
function keyBlockOf(record: unknown): string {
  const { validator_set_key_block: seqno, block_boc: block } = asRecord(asRecord(record).expected);
  return asText(block).replace(/_\d+\.boc$/, `_${String(seqno)}.boc`);
}

describeCorpusPart("signers of blocks in the corpus", "proofs/block-signatures/*.json", (folder) => {
  const records = listFiles(folder, "proofs/block-signatures", ".json");
  // The corpus lacks some key blocks: those recordings prove nothing here.
  const proven = records.filter((name) => existsSync(join(folder, keyBlockOf(readJson(folder, name)))));
  it("are recorded with a key block, or reported", () => {
    reportAbsent(
      "key blocks of",
      records.filter((path) => !proven.includes(path)),
    );
    expect(records.length).toBeGreaterThan(0);
  });
  for (const path of proven) {
    it(`are in the validator set of the key block: ${path}`, () => {
      const record = asRecord(readJson(folder, path));
      const { validators, signers, signed_data_hex: signed } = asRecord(record.expected);
      const keyBlock = keyBlockOf(record);
      const config = loadCell(Block, readRoot(readBytes(folder, keyBlock)))
        .extra.load()
        .custom?.load().config;
      if (config === undefined) throw new Error(`${keyBlock} holds no configuration`);
      const set = findConfigParam(config, 34);
      if (set === undefined) throw new Error(`${keyBlock} names no validators`);
      const main = mainValidators(set);
      const weight = [...main.values()].reduce((sum, v) => sum + v.weight, 0n);
      expect({
        total: set.total,
        main: set.main,
        utime_since: set.sinceAt,
        utime_until: set.untilAt,
        main_weight: String(weight),
      }).toEqual(validators);
      for (const signer of asList(signers).map(asRecord)) {
        const found = main.get(asText(signer.node_id_short));
        expect({ ...found, weight: String(found?.weight) }).toEqual({
          publicKey: signer.public_key,
          weight: signer.weight,
        });
      }
      for (const { node_id_short: id, signature } of asList(asRecord(record.signatures_response).signatures).map(
        asRecord,
      )) {
        const key = main.get(asText(id))?.publicKey ?? "";
        expect(isSigned(key, Buffer.from(asText(signed), "hex"), Buffer.from(asText(signature), "base64"))).toBe(true);
      }
    });
  }
});
