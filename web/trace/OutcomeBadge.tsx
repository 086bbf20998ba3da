import { Badge, type Tone } from "../parts/values.tsx";
import type { Outcome } from "./model.ts";

const tones: Readonly<Record<Outcome, Tone>> = { good: "good", failed: "bad", skipped: "plain", set: "plain" };
const words: Readonly<Record<Outcome, string>> = {
  good: "ok",
  failed: "failed",
  skipped: "no code ran",
  set: "set by hand",
};

/** How a transaction ended, in a word. */
export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  return <Badge tone={tones[outcome]}>{words[outcome]}</Badge>;
}
