import type { RemotePlan } from "../networks/NetworkPlan.ts";
import type { WelcomeLine } from "./OpenNetwork.ts";
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
  const kept = start.isKept ? "kept from an earlier run" : "the init block";
  return [
    `Tongate answers for ${name}.`,
    "",
    `  v2            ${origin}/api/v2/  the API page, with every operation to try`,
    ...more.map(([word, text]) => `  ${word.padEnd(12)}  ${text}`),
    `  status        ${origin}/  what runs here; ${origin}/readyz for machines`,
    `  lite servers  ${servers.length}, from ${plan.origin}${hidden === 0 ? "" : `; ${hidden} for callers with a key only`}`,
    ...(proofs === "trust" ? [] : [`  proofs        from masterchain block ${start.block.seqno}, ${kept}`]),
    ...(start.problem === undefined ? [] : [`  note          the kept trusted block cannot be used: ${start.problem}`]),
    "",
    ...(proofs === "trust" ? trustWarning(name) : []),
    "",
  ].join("\n");
}

function trustWarning(name: string): string[] {
  const lines = [
    `--trust: WHAT LITE SERVERS SAY OF THE HEAD OF ${name.toUpperCase()} IS BELIEVED WITHOUT PROOF.`,
    "Any of them can show a chain that does not exist. For private networks only.",
  ];
  const rule = "!".repeat(Math.max(...lines.map((line) => line.length)) + 4);
  return [rule, ...lines.map((line) => `! ${line.padEnd(rule.length - 4)} !`), rule, ""];
}
