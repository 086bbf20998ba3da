import { useState } from "preact/hooks";
import { type Ask, post, postV3, readPlain } from "../api/ask.ts";
import { about } from "../api/features.ts";
import { AskError, run } from "../api/run.ts";
import type { Action, TraceNode, Transaction } from "../api/types.ts";
import { useErrorWords } from "../api/useErrorWords.ts";
import { href, navigate } from "../browser/router.ts";
import { describeExit } from "../format/exitCodes.ts";
import { hashInPath, parseHash } from "../format/hash.ts";
import { Empty, Facts, Panel } from "../parts/Panel.tsx";
import { Story } from "../parts/Sentence.tsx";
import { Coins } from "../parts/values.tsx";
import { TraceView } from "../trace/TraceView.tsx";
import { BagField } from "./BagField.tsx";
import type { PageProps } from "./PageProps.ts";

interface Emulated {
  readonly mc_block_seqno: number;
  readonly trace: TraceNode;
  readonly transactions: Readonly<Record<string, Transaction>>;
  readonly actions: readonly Action[];
  readonly is_incomplete: boolean;
}

type Step =
  | { readonly kind: "empty" }
  | { readonly kind: "working" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "emulated"; readonly ask: Ask<Emulated>; readonly result: Emulated; readonly boc: string }
  | { readonly kind: "sent"; readonly ask: Ask<unknown>; readonly hash: string };

/** Emulates a message and sends it after the user confirms. */
export function Emulate({ query }: PageProps) {
  const [boc, setBoc] = useState(query.get("boc") ?? "");
  const [isUnsigned, setUnsigned] = useState(false);
  const [step, setStep] = useState<Step>({ kind: "empty" });
  const plain = boc.replace(/\s+/g, "");
  const ask = post(
    "/api/emulate/v1/emulateTrace",
    { boc: plain, ignore_chksig: isUnsigned, with_actions: true, include_address_book: true, include_metadata: true },
    readPlain<Emulated>,
  );
  const askSend = postV3("message", { boc: plain });
  const emulate = async () => {
    setStep({ kind: "working" });
    setStep(await attempt(async () => ({ kind: "emulated", ask, result: await run(ask), boc: plain })));
  };
  const send = async () => {
    setStep({ kind: "working" });
    setStep(
      await attempt(async () => {
        const { message_hash: hash, message_hash_norm: norm } = await run(askSend);
        return { kind: "sent", ask: askSend, hash: norm ?? hash };
      }),
    );
  };
  return (
    <>
      <h1>Emulate and send</h1>
      <Panel title="Message" from={[ask, askSend]} note="A signed message, as a wallet or a tool makes it.">
        <BagField label="Bag of cells as base64" value={boc} placeholder="te6cck…" onChange={setBoc} />
        <label class="check">
          <input
            type="checkbox"
            checked={isUnsigned}
            onChange={({ currentTarget }) => setUnsigned(currentTarget.checked)}
          />{" "}
          Take the signature as right
        </label>
        <div class="line">
          <button
            type="button"
            class="primary"
            disabled={plain === "" || !about().emulate || step.kind === "working"}
            onClick={() => void emulate()}
          >
            Emulate
          </button>
          <button type="button" disabled={plain === "" || step.kind === "working"} onClick={() => void send()}>
            Send without emulating
          </button>
        </div>
        {!about().emulate && <Empty>This server does not emulate messages. You can still send one.</Empty>}
      </Panel>
      <Outcome step={step} onSend={() => void send()} />
    </>
  );
}

async function attempt(work: () => Promise<Step>): Promise<Step> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AskError)) throw error;
    const exit = /NotAccepted: (-?\d+)/.exec(error.message)?.[1];
    const meaning =
      exit === undefined ? "" : ` The account refused the message with exit code ${describeExit(Number(exit))}.`;
    return { kind: "failed", reason: `${error.message}.${meaning}` };
  }
}

function Outcome({ step, onSend }: { readonly step: Step; readonly onSend: () => void }) {
  switch (step.kind) {
    case "empty":
      return null;
    case "working":
      return <p class="muted loading">Working…</p>;
    case "failed":
      return (
        <p class="failure" role="alert">
          {step.reason}
        </p>
      );
    case "sent":
      return <Sent hash={step.hash} from={step.ask} />;
    case "emulated":
      return <Prediction step={step} onSend={onSend} />;
  }
}

function Sent({ hash, from }: { readonly hash: string; readonly from: Ask<unknown> }) {
  return (
    <Panel title="Sent" from={[from]}>
      <p class="lead">The network has the message.</p>
      <button type="button" class="primary" onClick={() => navigate(`/tx/${parseHash(hash) ?? hash}`)}>
        Watch it
      </button>{" "}
      <a href={href(`/tx/${hashInPath(hash)}`)}>Address of its page</a>
    </Panel>
  );
}

function Prediction({
  step,
  onSend,
}: {
  readonly step: Extract<Step, { kind: "emulated" }>;
  readonly onSend: () => void;
}) {
  const { result, ask } = step;
  const all = Object.values(result.transactions);
  const words = useErrorWords(all);
  const fees = all.reduce((sum, { total_fees: fee }) => sum + BigInt(fee), 0n);
  return (
    <>
      <Panel title="What would happen" from={[ask]}>
        <Story actions={result.actions} />
        <Facts
          facts={[
            ["Transactions", `${all.length}${result.is_incomplete ? ", and more: the run was cut" : ""}`],
            ["Fees", <Coins key="fees" value={fees} />],
            ["As of block", String(result.mc_block_seqno)],
          ]}
        />
        <button type="button" class="primary" onClick={onSend}>
          Send it now
        </button>
      </Panel>
      <Panel title="Predicted trace" from={[ask, ...words]}>
        <TraceView trace={result.trace} transactions={result.transactions} actions={result.actions} isEmulated />
      </Panel>
    </>
  );
}
