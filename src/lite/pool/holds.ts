import type { QueryPlace } from "../tl/need.ts";
import type { HeldBlock, ServerHead } from "./health.ts";

/** Whether a server with this history has the data of a query; undefined when unknown. */
export function holds(
  place: QueryPlace,
  { oldest, oldestState, head }: { oldest: HeldBlock | undefined; oldestState: number; head: ServerHead | undefined },
): boolean | undefined {
  switch (place.kind) {
    case "any":
      return true;
    case "shard":
      return undefined;
    case "block":
      return oldest === undefined ? knownByHead(place.seqno, head) : place.seqno >= oldest.seqno;
    case "state":
      return place.seqno < oldestState
        ? false
        : holds({ kind: "block", seqno: place.seqno }, { oldest, oldestState, head });
    case "lt":
      return oldest === undefined ? undefined : place.lt >= oldest.startLt;
    case "time":
      return oldest === undefined ? undefined : place.at >= oldest.genUtime;
  }
}

/** Every server keeps the newest thousand blocks. */
function knownByHead(seqno: number, head: ServerHead | undefined): boolean | undefined {
  return head !== undefined && seqno > head.block.seqno - 1_000 ? true : undefined;
}
