import type { Terminal } from "../../../src/app/Command.ts";

/** A terminal that stores its output. */
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
