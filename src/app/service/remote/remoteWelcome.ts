import { program } from "../../config.ts";
import type { RemotePlan } from "../../NetworkPlan.ts";
import { formatRows, type ScreenRow } from "../../terminal/screen.ts";
import type { Style } from "../../terminal/style.ts";
import type { WelcomeLine } from "../parts/OpenNetwork.ts";
import type { Reach } from "./StartReport.ts";
import type { TrustStart } from "./TrustedBlockFile.ts";

export interface RemoteFacts {
  readonly plan: RemotePlan;
  readonly start: TrustStart;
  readonly origin: string;
  /** Lines of the parts of the service. */
  readonly more: readonly WelcomeLine[];
  readonly reach: Reach;
}

/** The start message of a network behind lite servers. */
export function formatRemote({ plan, start, origin, more, reach }: RemoteFacts, style: Style): string {
  const { name, servers, proofs } = plan;
  const hidden = servers.filter(({ isPrivate }) => isPrivate).length;
  const kept = start.isKept ? "stored by an earlier run" : "the init block";
  const rows: readonly ScreenRow[] = [
    ["page", `${origin}/`, "status, examples, documents"],
    ["v2", `${origin}/api/v2/`],
    ...more,
    ["ready", `${origin}/readyz`, "for machines"],
    ["servers", `${servers.length}, from ${plan.origin}`],
    ...(hidden === 0 ? [] : [["", `${hidden} of them for callers with a key only`] as const]),
    ...(proofs === "trust" ? [] : [["proofs", `from masterchain block ${start.block.seqno}, ${kept}`] as const]),
    ...(start.problem === undefined
      ? []
      : [["note", `the stored trusted block is not used: ${start.problem}`] as const]),
    ...(reach === "none" ? [["check", `${program} doctor --network ${name}`, "says why for each"] as const] : []),
  ];
  return [
    ...describeReach(plan, reach, style),
    ...formatRows(rows, style),
    "",
    ...(proofs === "trust" ? trustWarning(name) : []),
    "",
  ].join("\n");
}

/** One sentence that is true now; that no server is reached was reported before. */
function describeReach({ name, servers }: RemotePlan, reach: Reach, { strong }: Style): readonly string[] {
  switch (reach) {
    case "some":
      return [strong(`Tongate serves ${name}. Ctrl-C stops it.`), ""];
    case "none":
      return [];
    case "unknown":
      return [strong(`Tongate serves ${name} as soon as one of its ${servers.length} lite servers answers.`), ""];
  }
}

function trustWarning(name: string): string[] {
  const lines = [
    `--trust: THE HEAD OF ${name.toUpperCase()} IS TRUSTED WITHOUT PROOF.`,
    "A lite server can report a false chain. Use this for private networks only.",
  ];
  const rule = "!".repeat(Math.max(...lines.map((line) => line.length)) + 4);
  return [rule, ...lines.map((line) => `! ${line.padEnd(rule.length - 4)} !`), rule, ""];
}
