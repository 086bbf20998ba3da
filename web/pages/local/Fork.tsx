import { get, readEnvelope } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { Facts, Panel } from "../../parts/Panel.tsx";

interface ForkReport {
  readonly origin: string;
  readonly block: { readonly seqno: number };
  readonly accounts: number;
  readonly messages_left: number | null;
  readonly queries: number;
}

const askFork = get("/localnet/fork", undefined, readEnvelope<readonly ForkReport[]>);

/** What a fork continues, and how much of it has come; nothing on a network of its own. */
export function Fork({ seqno }: { readonly seqno: number }) {
  const loaded = useAsk(askFork, seqno);
  const [report] = loaded.kind === "ok" ? loaded.data : [];
  if (report === undefined) return null;
  const { origin, block, accounts, messages_left: left, queries } = report;
  return (
    <Panel title="Fork" from={[askFork]} note="Accounts come from there when they are first asked for.">
      <Facts
        facts={[
          ["Continues", origin],
          ["After its block", block.seqno],
          ["Accounts fetched", accounts],
          left !== null && ["Messages left there", left, "They were under way, and are not delivered here."],
          ["Queries", queries, "To that network, since this server started."],
        ]}
      />
    </Panel>
  );
}
