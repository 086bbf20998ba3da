import { addressBook } from "../../history/queries/addressBook.ts";
import type { Reading } from "../../history/queries/History.ts";
import { metadata } from "../../history/queries/metadata.ts";
import type { Address } from "../../model/Address.ts";
import type { WithMetadata } from "./shapes/book.ts";

/** What an answer says of the accounts in it besides its own items. */
export async function about(reading: Reading, involved: readonly (Address | undefined)[]): Promise<WithMetadata> {
  return { book: await addressBook(reading, involved), metadata: await metadata(reading, involved) };
}
