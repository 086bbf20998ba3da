import type { Clock } from "../../lib/clock.ts";
import { runWithin } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import type { FileSystem } from "../../lib/files/FileSystem.ts";
import type { Log } from "../../lib/log.ts";
import { LocalnetError } from "../errors.ts";
import { Fork } from "./Fork.ts";
import { ForkFile } from "./ForkFile.ts";
import type { ForkOrigin } from "./fetchBase.ts";
import { type ForkOptions, fetchBase } from "./fetchBase.ts";
import type { ForkRecord } from "./forkRecords.ts";

/** Where the file of a fork is, and whether its chain is new. */
export interface ForkPlace {
  readonly path: string;
  readonly isNew: boolean;
  readonly files: FileSystem;
}

/** Opens what a chain has of the one that it continues, or begins with it; a chain that continues no other has none. */
export async function openFork(
  wanted: (ForkOptions & { readonly origin: ForkOrigin }) | undefined,
  place: ForkPlace | undefined,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Fork | undefined> {
  const origin = wanted?.origin;
  if (place !== undefined && !place.isNew) {
    if (place.files.exists(place.path)) {
      const { file, records } = ForkFile.open(place.path, place.files);
      return compare(new Fork(records, { origin, file, clock, log }), wanted, place);
    }
    if (wanted === undefined) return undefined;
    throw new LocalnetError(
      "localnet/data",
      `${place.path} is missing: the chain beside it is not a fork; use another --data`,
    );
  }
  if (wanted === undefined) return undefined;
  const records = await begin(wanted, clock);
  const file = place && ForkFile.create(place.path, place.files);
  for (const record of records) await file?.append(record);
  return new Fork(records, { origin, file, clock, log });
}

/** How long it may take to prove the head of the origin and to fetch what a fork begins with. */
const patienceMs = 120_000;

async function begin(
  wanted: ForkOptions & { readonly origin: ForkOrigin },
  clock: Clock,
): Promise<readonly ForkRecord[]> {
  try {
    return await runWithin(clock, patienceMs, ({ signal }) => fetchBase(wanted.origin, wanted, signal));
  } catch (cause) {
    if (!isCoded(cause, "lib/deadline")) throw cause;
    const text = `${wanted.origin.name} did not give its newest block within ${patienceMs / 1_000} s; is it reachable?`;
    throw new LocalnetError("localnet/origin", text, { cause });
  }
}

function compare(fork: Fork, wanted: ForkOptions | undefined, { path }: ForkPlace): Fork {
  const { seqno } = fork.facts.master;
  if (wanted?.seqno === undefined || wanted.seqno === seqno) return fork;
  fork.close();
  throw new LocalnetError(
    "localnet/data",
    `${path} is a fork of block ${seqno}, not ${wanted.seqno}; use another --data`,
  );
}
