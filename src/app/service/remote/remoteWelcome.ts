import type { RemotePlan } from "../../NetworkPlan.ts";
import type { WelcomeLine } from "../parts/OpenNetwork.ts";
import type { TrustStart } from "./TrustedBlockFile.ts";

/** The start message of a network behind lite servers. */
export function formatRemote(
  plan: RemotePlan,
  start: TrustStart,
  origin: string,
  more: readonly WelcomeLine[],
): string {
  const { name, servers, proofs } = plan;
  const hidden = servers.filter(({ isPrivate }) => isPrivate).length;
  const kept = start.isKept ? "stored by an earlier run" : "the init block";
  return [
    `Tongate serves ${name}.`,
    "",
    `  v2            ${origin}/api/v2/  a page to try every operation`,
    ...more.map(([word, text]) => `  ${word.padEnd(12)}  ${text}`),
    `  status        ${origin}/  status page; ${origin}/readyz for machines`,
    `  lite servers  ${servers.length}, from ${plan.origin}${hidden === 0 ? "" : `; ${hidden} for callers with a key only`}`,
    ...(proofs === "trust" ? [] : [`  proofs        from masterchain block ${start.block.seqno}, ${kept}`]),
    ...(start.problem === undefined
      ? []
      : [`  note          the stored trusted block cannot be used: ${start.problem}`]),
    "",
    ...(proofs === "trust" ? trustWarning(name) : []),
    "",
  ].join("\n");
}

function trustWarning(name: string): string[] {
  const lines = [
    `--trust: THE HEAD OF ${name.toUpperCase()} IS TRUSTED WITHOUT PROOF.`,
    "A lite server can report a false chain. Use this for private networks only.",
  ];
  const rule = "!".repeat(Math.max(...lines.map((line) => line.length)) + 4);
  return [rule, ...lines.map((line) => `! ${line.padEnd(rule.length - 4)} !`), rule, ""];
}
