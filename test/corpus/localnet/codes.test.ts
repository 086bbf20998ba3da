import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeCorpusPart, reportAbsent } from "../../../kit/suite/corpus.ts";
import { walletCodes } from "../../../src/localnet/codes/walletCodes.ts";

interface WalletRecord {
  readonly id: string;
  readonly code_hash: string;
}

describeCorpusPart("wallet codes", ["contracts/wallets.json", "contracts/standard-codes.json"], (folder) => {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, "contracts", name), "utf8"));

  it("are those of the corpus", () => {
    const { wallets } = read("wallets.json") as { readonly wallets: readonly WalletRecord[] };
    const known = (id: string): string | undefined => wallets.find((each) => each.id === id)?.code_hash.toLowerCase();
    const ours = (["v2r2", "v3r1", "v3r2", "v4r2", "v5r1"] as const).map((version) => {
      const id = `wallet_${version.slice(0, 2)}_${version.slice(2)}`;
      return { id, hash: walletCodes[version].hash, expected: known(id) };
    });
    reportAbsent(
      "the codes",
      ours.flatMap(({ id, expected }) => (expected === undefined ? [id] : [])),
    );
    for (const { hash, expected } of ours.filter((each) => each.expected !== undefined)) expect(hash).toBe(expected);
  });

  it("of the highload wallet are those of its authors", () => {
    const text = readFileSync(join(folder, "contracts", "standard-codes.json"), "utf8").toLowerCase();
    if (/highload/.test(text)) expect(text).toContain(walletCodes.highloadV3.hash);
    else reportAbsent("the code of", ["the highload wallet"]);
  });
});
