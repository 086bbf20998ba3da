import { addressBook } from "../../history/queries/addressBook.ts";
import type { History } from "../../history/queries/kit/History.ts";
import { metadata } from "../../history/queries/metadata.ts";
import { type Address, formatRawAddress } from "../../model/Address.ts";
import { addressBookShape as bookShape, metadataShape } from "../v3/shapes/book.ts";
import type { Descriptions } from "./eventDescription.ts";

/** The current address book and metadata of accounts, as texts that are combined for each event. */
export async function describeAccounts(history: History, involved: readonly Address[]): Promise<Descriptions> {
  return history.read({}, async (reading) => {
    const accounts = [...new Set(involved)];
    const book = bookShape.encode(await addressBook(reading, accounts));
    const tokens = metadataShape.encode(await metadata(reading, accounts));
    return { book: textsOf(accounts, book), metadata: textsOf(accounts, tokens) };
  });
}

function textsOf(accounts: readonly Address[], json: Readonly<Record<string, unknown>>): ReadonlyMap<Address, string> {
  return new Map(
    accounts.flatMap((account) => {
      const name = formatRawAddress(account);
      const value = json[name];
      return value === undefined ? [] : [[account, `${JSON.stringify(name)}:${JSON.stringify(value)}`] as const];
    }),
  );
}
