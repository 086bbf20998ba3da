import { useEffect, useState } from "preact/hooks";
import type { Check } from "../api/check.ts";
import type { OpenChecks, PageChecks, ProofReport } from "../api/types.ts";
import { formatCount } from "../format/coins.ts";
import { shareOf } from "../format/share.ts";

type State =
  | { readonly kind: "running" }
  | {
      readonly kind: "proved";
      /** The values that were compared; the panel may show others, too. */
      readonly what: string;
      readonly report: ProofReport;
      readonly network: PageChecks["network"];
    }
  | { readonly kind: "refused"; readonly reason: string };

interface ChecksModule {
  readonly openChecks: OpenChecks;
}

let opened: Promise<PageChecks> | undefined;
let newest: ProofReport | undefined;

/** The checks are loaded with the first panel that is checked. */
async function open(): Promise<PageChecks> {
  const module: ChecksModule = await import(/* @vite-ignore */ import.meta.env.CHECKS);
  return module.openChecks(`${location.origin}/api/v2`, (report) => {
    newest = report;
  });
}

async function run({ name, args, compare }: Check): Promise<State> {
  opened ??= open();
  opened.catch(() => {
    // The next click tries again.
    opened = undefined;
  });
  const { client, network } = await opened;
  const ask = client[name] as (args: object) => Promise<never>;
  const compared = compare(await ask(args));
  const report = newest;
  const wrong = compared.filter(([, shown, proved]) => String(shown) !== String(proved));
  if (report === undefined) return { kind: "refused", reason: "Nothing proves this." };
  if (wrong.length === 0) return { kind: "proved", what: compared.map(([what]) => what).join(", "), report, network };
  const differences = wrong.map(([what, shown, proved]) => `${what} is ${proved}, not ${shown}`).join("; ");
  return {
    kind: "refused",
    reason: `This page shows something else than what is proved at block ${formatCount(report.seqno)}: ${differences}. If it has just changed, the page shows it soon: check again.`,
  };
}

/** Proves in this browser what a panel shows, and says by what. */
export function CheckView({ check }: { readonly check: Check }) {
  const [state, setState] = useState<State>({ kind: "running" });
  useEffect(() => {
    let isCurrent = true;
    setState({ kind: "running" });
    run(check)
      .catch((error: unknown): State => ({ kind: "refused", reason: `Not proved: ${Object(error).message ?? error}` }))
      .then((end) => isCurrent && setState(end));
    return () => {
      isCurrent = false;
    };
  }, [check]);
  switch (state.kind) {
    case "running":
      return (
        <p class="muted loading" role="status">
          Checking…
        </p>
      );
    case "refused":
      return (
        <p class="failure" role="alert">
          {state.reason}
        </p>
      );
    case "proved":
      return (
        <p class="success" role="status">
          {sayProved(state.what, state.report)} {sayTrust(state.network, state.report)}
        </p>
      );
  }
}

function sayProved(what: string, { seqno, signedBy, bytes, ms }: ProofReport): string {
  const signers =
    signedBy === undefined
      ? "which a newer signed block contains"
      : `signed by ${formatCount(signedBy.signatures)} validator${signedBy.signatures === 1 ? "" : "s"} with ${shareOf(signedBy.weight, signedBy.totalWeight)} % of the weight`;
  return `Proved in this browser: ${what}. Against masterchain block ${formatCount(seqno)}, ${signers}: ${formatCount(bytes)} bytes, ${Math.ceil(ms)} ms.`;
}

/** Said in full: a page cannot check the server that it comes from. */
function sayTrust(network: PageChecks["network"], { since }: ProofReport): string {
  const start =
    network === undefined ? "the zero state that this server names" : `${network}, from block ${formatCount(since)} on`;
  return `Trusted: ${start}, and the code of this page, which came from this server.`;
}
