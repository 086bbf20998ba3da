import {
  readMessage,
  type StreamMessage,
  sentPrefix,
  writeMessage,
  writePrediction,
} from "../../../api/stream/pendingStream.ts";
import { readBoc, writeBoc } from "../../../cell/boc.ts";
import { usualPending } from "../../../chain/pending/PendingOptions.ts";
import { PendingTraces } from "../../../chain/pending/PendingTraces.ts";
import type { GatherFacts } from "../../../chain/pending/pendingMeaning.ts";
import { identifyMessage } from "../../../chain/send.ts";
import type { AbiStore } from "../../../contracts/AbiLibrary.ts";
import type { EventLog } from "../../../history/events/EventLog.ts";
import type { OpenIndex } from "../index/openIndex.ts";
import type { Closers } from "../parts/Closers.ts";
import type { PartModules } from "../parts/ServicePart.ts";

/** Predicts what sent messages will do, those of all processes of the index, and reports on those sent here. */
export function startPending(
  gatherFacts: GatherFacts,
  { failures: reporter, events }: Pick<OpenIndex, "failures" | "events">,
  { live, clock, log, metrics }: PartModules,
  closers: Closers,
  abis: Pick<AbiStore, "library">,
): PendingTraces {
  const publish = (message: StreamMessage) => events.publish(writeMessage(message));
  const pending = new PendingTraces(usualPending, {
    // Messages that were sent are one caller among others, whoever sent them.
    openChain: (access, signal) => live.services.chains.open({ access, signal, caller: "sent messages" }),
    ...{ gatherFacts, clock, log, reporter },
    onTrace: (trace) => {
      const { normalizedHash: external } = trace.sent;
      publish({ kind: "status", external, status: "pending" });
      events.publish(writePrediction(trace, abis.library()));
    },
    onEnd: ({ normalizedHash: external }, end) => {
      const code = end.kind === "refused" ? { exitCode: end.exitCode } : {};
      publish({ kind: "status", external, status: end.kind, ...code });
      if (end.wasReported) publish({ kind: "gone", external });
    },
  });
  live.onSending.add(({ normalizedHash: external }, { kind: status, ...code }) =>
    publish({ kind: "status", external, status, ...code }),
  );
  live.onSent.add((message, sent, access) => {
    pending.add(message, sent, access);
    publish({ kind: "sent", boc: writeBoc(message).toString("base64"), access });
  });
  const stop = hearOthers(events, pending);
  closers.add("pending messages", async () => {
    stop();
    await pending.close();
  });
  metrics.watchGauge(
    "tongate_pending_traces",
    "Traces of sent messages not on the chain yet.",
    () => pending.counters().traces,
  );
  return pending;
}

/** Adds what other processes send, also before this one started; a message of this process is there already. */
function hearOthers(events: EventLog, pending: PendingTraces): () => void {
  const hear = (text: string): void => {
    const message = readMessage(text);
    if (message?.kind !== "sent") return;
    const [root] = readBoc(Buffer.from(message.boc, "base64"));
    if (root !== undefined) pending.add(root, identifyMessage(root), message.access, "other");
  };
  return events.onMessage(hear, { prefix: sentPrefix, wantsEarlier: true });
}
