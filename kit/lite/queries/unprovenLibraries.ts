import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import type { Libraries } from "../../../src/lite/queries/libraries.ts";
import { proofError, proven } from "../../../src/lite/queries/proven.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../../../src/lite/server/LiteServer.ts";
import { getLibraries } from "../../../src/lite/tl/liteQueries.ts";
import type { libraryResult } from "../../../src/lite/tl/liteRecords.ts";
import type { TlValue } from "../../../src/lite/tl/types.ts";
import { hashFromBytes, hashToBytes } from "../../../src/model/Hash.ts";

/** Fetches libraries without a proof. */
export async function fetchLibraries(
  server: LiteServer,
  hashes: readonly Hash[],
  options: TypedAskOptions,
): Promise<Libraries> {
  const args = { libraryList: hashes.map(hashToBytes) };
  return askProven(server, getLibraries, args, (answer) => checkLibraries(hashes, answer), options);
}

/** Checks each library by its hash. Nothing proves that missing ones do not exist. */
export function checkLibraries(hashes: readonly Hash[], answer: TlValue<typeof libraryResult>): Libraries {
  return proven("libraries", () => {
    const found = answer.result.map(({ hash, data }): [Hash, Cell] => [hashFromBytes(hash), readRoot(data)]);
    for (const [hash, root] of found)
      if (!hashes.includes(hash) || root.hash() !== hash) throw proofError(`a library that is not ${hash}`);
    return new Map(found);
  });
}
