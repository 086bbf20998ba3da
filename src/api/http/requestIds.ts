import { toHex } from "../../lib/bytes.ts";
import type { Random } from "../../lib/random.ts";

/** Names requests: a beginning that no other start of the program has, and a number; chance for each would cost more. */
export function requestIds(random: Random): () => string {
  const start = toHex(random.bytes(5));
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}
