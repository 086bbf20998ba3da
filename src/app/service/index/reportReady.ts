import type { Clock } from "../../../lib/clock.ts";
import { formatSpan } from "../parts/describeIndex.ts";
import type { OpenNetwork } from "../parts/OpenNetwork.ts";
import type { OpenIndex } from "./openIndex.ts";

export interface ReportModules {
  readonly clock: Clock;
  readonly write: (text: string) => void;
}

const lookEveryMs = 200;
/** Blocks that an index may lack and still be called ready: new ones come all the time. */
const usualLag = 3;

/** Writes one line while the index of a network opens, and one when v3 can answer from it; ends with the signal. */
export async function reportReady(
  { name, headSeqno }: Pick<OpenNetwork, "name" | "headSeqno">,
  index: Pick<OpenIndex, "database" | "head" | "indexer">,
  { clock, write }: ReportModules,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = clock.monotonic();
  const wait = () => clock.sleep(lookEveryMs, signal).catch(() => {});
  if (index.database.condition().kind === "opening")
    write(`${name}: opening the index; v3 answers 503 until it is open\n`);
  while (!signal.aborted && !isReady()) await wait();
  if (signal.aborted) return;
  const span = formatSpan((clock.monotonic() - startedAt) / 1_000);
  write(`${name}: v3 is ready after ${span}, the index has block ${index.head()?.seqno}\n`);

  /** A backfill may take days; v3 answers from what is there in the meantime. */
  function isReady(): boolean {
    const head = index.head();
    if (index.database.condition().kind !== "open" || head === undefined) return false;
    return index.indexer === undefined || headSeqno() - head.seqno <= usualLag;
  }
}
