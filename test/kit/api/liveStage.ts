import type { V3Services } from "../../../src/api/v3/services/Services.ts";
import { LiveChains } from "../../../src/chain/LiveChains.ts";
import { usualPending } from "../../../src/chain/pending/PendingOptions.ts";
import { PendingTraces } from "../../../src/chain/pending/PendingTraces.ts";
import { serverSource } from "../../../src/chain/serverSource.ts";
import { factsOf } from "../../../src/history/meaning/factsOf.ts";
import type { History } from "../../../src/history/queries/kit/History.ts";
import { type Clock, systemClock } from "../../../src/lib/clock.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";
import { openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { quietLog } from "./apiServer.ts";

/** What v3 needs besides its index: the current chain and pending messages. */
export interface LiveStage extends Required<Pick<V3Services, "live" | "pending">> {
  readonly pending: PendingTraces;
  close(): Promise<void>;
}

export interface LiveParts {
  readonly server: LiteServer;
  readonly ledger: Pick<Ledger, "headId" | "head" | "zero">;
  readonly executor: Executor;
  readonly history: History;
  readonly clock: Clock;
}

/** Wires the parts like the application does. */
export function joinLive({ server, ledger, executor, history, clock }: LiveParts): LiveStage {
  const head = () => ({ block: ledger.headId, genUtime: ledger.head?.info.genUtime ?? 0 });
  const pending = new PendingTraces(usualPending, {
    openChain: (access, signal) => chains.open({ access, signal }),
    gatherFacts: (trace, signal) =>
      history.read({ signal }, (reading) => {
        const database = { query: (text: string, params = []) => reading.query({ text, params }) };
        return factsOf(database, reading.options.isTestnet ? "testnet" : "mainnet", trace, signal);
      }),
    clock,
    log: quietLog,
  });
  const chains = new LiveChains({
    source: serverSource(server, head),
    executor,
    clock,
    zeroState: ledger.zero.id,
    onSent: (message, sent, access) => pending.add(message, sent, access),
  });
  return { live: { isLive: () => true, chains }, pending, close: () => pending.close() };
}

/** The same over a chain that does not grow, with its own executor. */
export async function openLiveStage(ledger: Ledger, history: History): Promise<LiveStage> {
  const server = new LocalLiteServer({ ledger });
  const executor = await openExecutor({}, { clock: systemClock });
  const stage = joinLive({ server, ledger, executor, history, clock: systemClock });
  const close = async () => {
    await stage.close();
    await executor.close();
    await server.close();
  };
  return { ...stage, close };
}
