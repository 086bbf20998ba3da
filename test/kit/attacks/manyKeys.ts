import { jettonMasters } from "../../../src/history/entities/jettonMasters.ts";
import { mergeMetadata } from "../../../src/history/metadata/mergeMetadata.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { addressMetadata } from "../../../src/history/store/schema/serviceTables.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { loadRows } from "../history/loadRows.ts";

/** Writes tokens whose documents have so many small keys, as far as the store takes them. */
export async function writeTokens(database: Database, tokens: number, keys: number): Promise<void> {
  const document = Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, at]));
  const fields = mergeMetadata({ symbol: "X", decimals: "9" }, { ...document, name: "a token" });
  const hashes = Array.from({ length: tokens }, (_, at) => (at + 1).toString(16).padStart(64, "0") as Hash);
  const state = { codeHash: hashes[0] as Hash, dataHash: hashes[0] as Hash, lastTransactionLt: 1n };
  await database.write(async (session) => {
    await loadRows(
      session,
      jettonMasters,
      hashes.map((hash, at) => ({
        ...{ ...state, address: makeAddress(0, hash), id: BigInt(at + 1), totalSupply: 1n, mintable: true },
        ...{ adminAddress: undefined, jettonContent: { symbol: "X", decimals: "9" }, jettonWalletCodeHash: hash },
      })),
    );
    await loadRows(
      session,
      addressMetadata,
      hashes.map((hash) => ({
        ...{ ...fields, address: makeAddress(0, hash), type: "jetton_masters" as const, valid: true },
        ...{ updatedAt: 1, expiresAt: undefined, attempts: 0, nextAttemptAt: undefined },
      })),
    );
  });
}
