import { readRoot } from "../../cell/boc.ts";
import { readTrustedStart } from "../../lite/server/globalConfig.ts";
import { nameOfNetwork } from "../../lite/server/knownNetworks.ts";
import type { Listing } from "../../tvm/machine/interpreter/disassemble.ts";
import { type Client, createClient } from "./client.ts";
import type { ReceiverOptions, TrustedConfig } from "./verify/TrustOptions.ts";

/** The checks of a page, and where its trust begins. */
interface PageChecks {
  /** Each method resolves only with what was proved. */
  readonly client: Client;
  /** The public network whose block is in this code; undefined for another one, whose zero state the server named. */
  readonly network: "mainnet" | "testnet" | undefined;
}

/** Opens the checks of a page. A page has no config: what identifies the network comes from the server, `…/api/v2`. */
export async function openChecks(base: string, onProof: NonNullable<ReceiverOptions["onProof"]>): Promise<PageChecks> {
  const { init } = await createClient(base).getMasterchainInfo();
  const config: TrustedConfig = { validator: { zero_state: { ...init, shard: "-9223372036854775808" } } };
  const name = nameOfNetwork(readTrustedStart(config.validator).zeroState);
  const network = name === "mainnet" || name === "testnet" ? name : undefined;
  // A local network may be made anew, with the same zero state; its chain is short.
  const store = network === undefined ? "memory" : "localStorage";
  const verify = { trust: network ?? config, store, onProof } as const;
  return { client: createClient(base, { verify }), network };
}

/** The code of a contract as text; its instructions come with the machine, when they are first asked for. */
export async function disassembleCode(bag: Uint8Array): Promise<Listing> {
  const [{ disassemble }, { loadRare }] = await Promise.all([
    import("../../tvm/machine/interpreter/disassemble.ts"),
    import("../../tvm/run/loadRare.ts"),
  ]);
  await loadRare();
  return disassemble(readRoot(bag));
}
