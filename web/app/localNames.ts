import { get, readEnvelope } from "../api/ask.ts";
import { learnNames } from "../api/book.ts";
import { AskError, run } from "../api/run.ts";
import { about } from "./about.ts";

export interface NamedContract {
  readonly name: string;
  readonly address: string;
}

/** The contracts of the demo set of a local network. */
export const askDemo = get("/localnet/demo", undefined, readEnvelope<readonly NamedContract[]>);

/** A local network names its contracts; the pages use these names. */
export async function loadLocalNames(): Promise<void> {
  if (!about().local) return;
  try {
    learnNames(await run(askDemo));
  } catch (error) {
    // Names are a comfort: the pages work without them.
    if (!(error instanceof AskError)) throw error;
  }
}
