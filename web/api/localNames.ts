import { type Ask, get, readEnvelope } from "./ask.ts";
import { learnNames } from "./book.ts";
import { about } from "./features.ts";
import { AskError, run } from "./run.ts";

export interface NamedContract {
  readonly name: string;
  readonly address: string;
}

/** The contracts of a local network's demo set. */
export const askDemo = get("/localnet/demo", undefined, readEnvelope<readonly NamedContract[]>);

type Named = Readonly<Record<"name" | "address", string>>;

const askWallets = get("/localnet/wallets", undefined, readEnvelope<readonly Named[]>);

/** Loads the names that a local network gives to its wallets and contracts. */
export async function loadLocalNames(): Promise<void> {
  if (about().local) await Promise.all([learnFrom(askDemo), learnFrom(askWallets)]);
}

async function learnFrom(ask: Ask<readonly Named[]>): Promise<void> {
  try {
    learnNames(await run(ask));
  } catch (error) {
    // Names are optional: pages work without them.
    if (!(error instanceof AskError)) throw error;
  }
}
