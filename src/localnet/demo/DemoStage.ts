import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";
import type { NetworkKeys } from "../genesis/networkKeys.ts";
import type { Transfer } from "../wallets/transfer.ts";
import type { Wallet } from "../wallets/Wallet.ts";

/** Those of the funded wallets that play a part in the demo set. */
export interface DemoPeople {
  readonly alice: Wallet;
  readonly bob: Wallet;
  readonly carol: Wallet;
  readonly dave: Wallet;
  readonly erin: Wallet;
}

/** The first five wallets, all of which count their messages. */
export function peopleOf({ wallets }: Pick<NetworkKeys, "wallets">): DemoPeople {
  const [alice, bob, carol, dave, erin] = wallets.map(({ wallet }) => wallet);
  if (alice === undefined || bob === undefined || carol === undefined || dave === undefined || erin === undefined)
    throw new LocalnetError("localnet/wallet", `the demo set needs five wallets, not ${wallets.length}`);
  return { alice, bob, carol, dave, erin };
}

/** What one wallet sends by one message from outside. */
export interface DemoSending {
  readonly by: Wallet;
  readonly transfers: readonly Transfer[];
}

/** What may happen together; a later stage needs that everything an earlier one causes has happened. */
export type DemoStage =
  | { readonly kind: "messages"; readonly sendings: readonly DemoSending[] }
  /** The owner of the network says who resolves names. */
  | { readonly kind: "dnsRoot"; readonly account: Hash };

/** A stage in which each wallet sends once. */
export function stage(...sendings: readonly DemoSending[]): DemoStage {
  return { kind: "messages", sendings };
}

export function sends(by: Wallet, ...transfers: readonly Transfer[]): DemoSending {
  return { by, transfers };
}

/** A message to a contract, which comes back when the contract fails. */
export function callMethod(to: Address, amount: bigint, rest: Pick<Transfer, "body" | "init"> = {}): Transfer {
  return { to, amount, bounce: true, ...rest };
}

/**
 * Stages of parts that have nothing to do with each other, put together so that they take few rounds: in each, every
 * part goes on whose wallets are not busy in it.
 */
export function interleave(parts: readonly (readonly DemoStage[])[]): readonly DemoStage[] {
  const left = parts.map((stages) => [...stages]);
  const stages: DemoStage[] = [];
  while (left.some(({ length }) => length > 0)) {
    const sendings: DemoSending[] = [];
    for (const part of left) {
      const [next] = part;
      if (next?.kind === "dnsRoot") stages.push(next);
      else if (next === undefined || next.sendings.some(({ by }) => sendings.some((other) => other.by === by)))
        continue;
      else sendings.push(...next.sendings);
      part.shift();
    }
    if (sendings.length > 0) stages.push({ kind: "messages", sendings });
  }
  return stages;
}
