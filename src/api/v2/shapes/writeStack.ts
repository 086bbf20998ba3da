import type { JsonSink } from "../../../lib/kit/deferredJson.ts";
import type { Steps } from "../../../lib/sharing/steps.ts";
import { type StackLimits, StackWriter } from "./StackWriter.ts";

/** How much of a stack is kept while it is not known how large it is; few are larger. */
const keptBytes = 1 << 16;

/** Keeps what is written as long as it is short, and after that only its size. */
class TrialSink implements JsonSink {
  readonly maxPartBytes: number;
  readonly texts: JsonSink["texts"];
  #text = "";
  #length = 0;

  constructor({ maxPartBytes, texts }: JsonSink) {
    this.maxPartBytes = maxPartBytes;
    this.texts = texts;
  }

  add(text: string): void {
    this.#length += text.length;
    this.#text = this.#length > keptBytes ? "" : this.#text + text;
  }

  /** What was written, if all of it was kept. */
  get text(): string | undefined {
    return this.#length > keptBytes ? undefined : this.#text;
  }
}

/**
 * Writes a stack. A long one is written twice: what is over the limit is refused before anything of it takes the memory
 * of answers.
 */
export function* writeStack(
  sink: JsonSink,
  limits: StackLimits,
  write: (out: StackWriter) => Steps<void>,
): Steps<void> {
  const trial = new TrialSink(sink);
  yield* write(new StackWriter(trial, limits));
  if (trial.text !== undefined) sink.add(trial.text);
  else yield* write(new StackWriter(sink, limits));
}
