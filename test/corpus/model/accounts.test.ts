import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { Account, ShardAccount } from "../../../src/model/Account.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { accountJson, shardAccountJson } from "../../kit/model/accountJson.ts";

describeCorpusPart("accounts of the corpus", "accounts/", (folder) => {
  it.each(listFiles(folder, "accounts", ".json"))("equal those of another parser: %s", (path) => {
    const list = asList(asRecord(readJson(folder, path)).accounts).map(asRecord);
    expect(list.length).toBeGreaterThan(0);
    for (const { boc, kind, root_hash: hash, expected } of list) {
      const root = readRoot(Buffer.from(asText(boc), "base64"));
      expect(hashToBase64(root.hash())).toBe(hash);
      expect(kind === "Account" ? accountJson(root) : shardAccountJson(root)).toEqual(expected);
      const again =
        kind === "Account"
          ? storeCell(Account, loadCell(Account, root))
          : storeCell(ShardAccount, loadCell(ShardAccount, root));
      expect(again.hash()).toBe(root.hash());
    }
  });
});
