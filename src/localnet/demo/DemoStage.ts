import type { Cell } from "../../cell/Cell.ts";
import type { Address } from "../../model/Address.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import type { Hash } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";
import type { NetworkKeys } from "../wallets/networkKeys.ts";
import type { Transfer } from "../wallets/transfer.ts";
import type { Wallet } from "../wallets/Wallet.ts";

/** The funded wallets that the demo set uses. */
export interface DemoPeople {
  readonly alice: Wallet;
  readonly bob: Wallet;
  readonly carol: Wallet;
  readonly dave: Wallet;
  readonly erin: Wallet;
}

/** The first five wallets, all of which have a seqno. */
export function peopleOf({ wallets }: Pick<NetworkKeys, "wallets">): DemoPeople {
  const [alice, bob, carol, dave, erin] = wallets.map(({ wallet }) => wallet);
  if (alice === undefined || bob === undefined || carol === undefined || dave === undefined || erin === undefined)
    throw new LocalnetError("localnet/wallet", `the demo contracts need five wallets, not ${wallets.length}`);
  return { alice, bob, carol, dave, erin };
}

/** What messages may depend on that is known only when they are sent. */
export interface DemoChain {
  readonly now: number;
  readonly config: Config;
  /** The data of an account with code. */
  readonly findData: (address: Address) => Cell | undefined;
}

/** A message, or how to make it when it is sent. */
type PlannedTransfer = Transfer | ((chain: DemoChain) => Transfer);

/** The messages that one wallet sends with one external message. */
export interface DemoSending {
  readonly by: Wallet;
  readonly transfers: readonly PlannedTransfer[];
}

/** Messages that may run together; a later stage begins when all effects of the earlier one are done. */
export type DemoStage =
  | { readonly kind: "messages"; readonly sendings: readonly DemoSending[] }
  /** The owner of the network sets the root of names. */
  | { readonly kind: "dnsRoot"; readonly account: Hash }
  /** Rounds at a moment, in seconds after the birth of the network; none when it is past. */
  | { readonly kind: "time"; readonly after: number; readonly rounds: number };

/** A stage in which each wallet sends once. */
export function stage(...sendings: readonly DemoSending[]): DemoStage {
  return { kind: "messages", sendings };
}

export function sends(by: Wallet, ...transfers: readonly PlannedTransfer[]): DemoSending {
  return { by, transfers };
}

/** A message to a contract, which bounces when the contract fails. */
export function callMethod(to: Address, amount: bigint, rest: Pick<Transfer, "body" | "init"> = {}): Transfer {
  return { to, amount, bounce: true, ...rest };
}

/**
 * Combines the stages of independent parts, so that they take few rounds: a stage contains every part whose wallets are
 * free.
 */
export function interleave(parts: readonly (readonly DemoStage[])[]): readonly DemoStage[] {
  const left = parts.map((stages) => [...stages]);
  const stages: DemoStage[] = [];
  while (left.some(({ length }) => length > 0)) {
    const sendings: DemoSending[] = [];
    for (const part of left) {
      const [next] = part;
      if (next?.kind === "dnsRoot" || next?.kind === "time") stages.push(next);
      else if (next === undefined || next.sendings.some(({ by }) => sendings.some((other) => other.by === by)))
        continue;
      else sendings.push(...next.sendings);
      part.shift();
    }
    if (sendings.length > 0) stages.push({ kind: "messages", sendings });
  }
  return stages;
}
