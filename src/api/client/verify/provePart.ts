import type { JsonValue } from "../../../lib/json.ts";
import type { ProveShown } from "../../declare/proof.ts";
import { findDifference } from "../../declare/provedPart.ts";
import { checkAge } from "./checkAge.ts";
import { orUnproved } from "./reasons.ts";
import { UnprovedError } from "./UnprovedError.ts";

/** The part of an answer that is proved; throws if the answer contradicts it. */
export async function provePart(
  name: string,
  prove: () => ReturnType<ProveShown>,
  shown: JsonValue,
  clock: Parameters<typeof checkAge>[2],
): Promise<JsonValue> {
  const proved = await orUnproved("answer", name, prove);
  if (proved.at !== undefined) checkAge(name, proved.at, clock);
  const difference = findDifference(proved.result, shown);
  if (difference !== undefined) {
    throw new UnprovedError(
      "verify/changed",
      `${name}: the server sent a result that its own proof contradicts (${difference})`,
    );
  }
  return proved.result;
}
