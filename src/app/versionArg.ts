import { makeArg } from "../lib/kit/arg.ts";
import { type NetworkVersion, networkVersions } from "../localnet/ledger/networkVersion.ts";

/** The global version of a new local network. */
export const versionArg = makeArg<NetworkVersion>({
  schema: { enum: [...networkVersions] },
  allowed: `one of ${networkVersions.join(", ")}`,
  read: (value) => networkVersions.find((version) => version === value || String(version) === value),
});
