import type { Address } from "../../model/Address.ts";
import type { StreamEvent } from "./renderEvents.ts";
import type { Subscription } from "./Subscription.ts";

/** The address book and the metadata of accounts, as the JSON of each. */
export interface Descriptions {
  readonly book: ReadonlyMap<Address, string>;
  readonly metadata: ReadonlyMap<Address, string>;
}

/** Whether a subscription asks for more about accounts. */
export function needsDescription({ withBook, withMetadata }: Subscription): boolean {
  return withBook || withMetadata;
}

/** The fields that describe the accounts of an event; events about nobody but their own account have no book. */
export function describeEvent(
  { involved }: StreamEvent,
  { withBook, withMetadata }: Subscription,
  about: Descriptions,
): string {
  if (involved.length === 0) return "";
  const own = [...new Set(involved)];
  const book = withBook ? `,"address_book":${pick(about.book, own)}` : "";
  return withMetadata ? `${book},"metadata":${pick(about.metadata, own)}` : book;
}

function pick(of: ReadonlyMap<Address, string>, accounts: readonly Address[]): string {
  return `{${accounts.flatMap((account) => of.get(account) ?? []).join(",")}}`;
}
