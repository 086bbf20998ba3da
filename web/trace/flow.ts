import type { Message, Transaction } from "../api/types.ts";

/** A message of a transaction as its account sees it. */
export interface Movement {
  readonly direction: "in" | "out";
  readonly message: Message;
}

/** The messages of a transaction that a list shows, and the number of those it does not. */
export interface Flow {
  readonly shown: readonly Movement[];
  readonly more: number;
}

const maxShown = 3;

/**
 * What a transaction did for its account: an external message is only the request of its owner, so the row is about
 * what was sent. Without anything sent the request itself is shown.
 */
export function flowOf({ in_msg: incoming, out_msgs: outgoing }: Transaction): Flow {
  const received: Movement[] = incoming === null ? [] : [{ direction: "in", message: incoming }];
  const sent = outgoing.map((message): Movement => ({ direction: "out", message }));
  const isRequest = incoming?.source === null && sent.length > 0;
  const all = isRequest ? sent : [...received, ...sent];
  return { shown: all.slice(0, maxShown), more: Math.max(0, all.length - maxShown) };
}
