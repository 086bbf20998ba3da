import { get, readEnvelope } from "../api/ask.ts";
import { learnNames } from "../api/book.ts";
import { AskError, run } from "../api/run.ts";
import { about } from "./about.ts";

export interface NamedContract {
  readonly name: string;
  readonly address: string;
}

/** The contracts of a local network's demo set. */
export const askDemo = get("/localnet/demo", undefined, readEnvelope<readonly NamedContract[]>);

/** Loads the names that a local network gives to its contracts. */
export async function loadLocalNames(): Promise<void> {
  if (!about().local) return;
  try {
    learnNames(await run(askDemo));
  } catch (error) {
    // Names are optional: pages work without them.
    if (!(error instanceof AskError)) throw error;
  }
}
