import type { Terminal } from "../../../src/app/Command.ts";

/** A terminal that remembers what was written as the answer. */
export function recordTerminal(): Terminal & { written(): string } {
  let answer = "";
  return {
    write: (text) => {
      answer += text;
    },
    writeError: () => {},
    written: () => answer,
  };
}
