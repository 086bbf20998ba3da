import { addressBook } from "../../history/queries/addressBook.ts";
import type { HistorySnapshot } from "../../history/queries/kit/History.ts";
import { metadata } from "../../history/queries/metadata.ts";
import type { Address } from "../../model/Address.ts";
import { distinct } from "../../model/Address.ts";
import type { WithMetadata } from "./shapes/book.ts";

/** Data of an answer about the accounts in it, besides its own items. */
export async function about(
  reading: HistorySnapshot,
  involved: readonly (Address | undefined)[],
): Promise<WithMetadata> {
  const accounts = distinct(involved);
  const [book, tokens] = await Promise.all([addressBook(reading, accounts), metadata(reading, accounts)]);
  return { book, metadata: tokens };
}
