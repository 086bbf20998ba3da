import type { Cell } from "../../cell/Cell.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";
import type { TraceMessage } from "../../model/Trace.ts";
import type { TraceLimits } from "../../tvm/run/trace.ts";
import type { Chain } from "../Chain.ts";
import { type Emulation, emulateMessage } from "../run/emulation.ts";
import type { SentMessage } from "../SentMessage.ts";
import { listTransactions } from "../transactions.ts";
import type { LeftMessage } from "./mixTrace.ts";
import { wasTaken } from "./pendingRun.ts";

/**
 * Runs messages that the chain has sent and not delivered yet, one after another, each on the result of those before
 * it. Messages that are delivered in the meantime are skipped: the follower of the chain reports them.
 */
export async function runLeft(
  chain: Chain,
  sent: SentMessage,
  left: readonly LeftMessage[],
  limits: TraceLimits,
): Promise<readonly Emulation[]> {
  const runs: Emulation[] = [];
  const after = new Map<Address, ShardAccount>();
  for (const { sender, message } of left) {
    const { destination } = message;
    const cell = await findSent(chain, { sender, message });
    if (cell === undefined || destination === undefined || (await isDelivered(chain, destination, message))) continue;
    const findState = (address: Address) => after.get(address);
    const run = await emulateMessage(chain, cell, sent, destination, { ...limits, findState });
    if (run.kind === "notAccepted") continue;
    runs.push(run.emulation);
    for (const [address, account] of run.emulation.accounts) after.set(address, account);
  }
  return runs;
}

async function findSent(chain: Chain, { sender, message }: LeftMessage): Promise<Cell | undefined> {
  const { account, lt, hash } = sender;
  const { items } = await listTransactions(chain, account, { from: { lt, hash }, toLt: 0n, limit: 1 });
  const all = items.flatMap(({ transaction }) => transaction.messages.out.values());
  return all.find(({ cell }) => cell.hash() === message.hash)?.cell;
}

function isDelivered(chain: Chain, destination: Address, { hash, createdLt }: TraceMessage): Promise<boolean> {
  return wasTaken(chain, destination, hash, createdLt ?? 0n);
}
