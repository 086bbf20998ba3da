import { formatJson, type JsonInput } from "../../lib/json.ts";
import { boolArg } from "../../lib/kit/basicArgs.ts";
import type { Terminal } from "../Command.ts";
import { option } from "../options.ts";

/** The option of commands that print facts. */
export const jsonOption = {
  json: option(boolArg(), false, "Print one JSON document, for programs.", { isFlag: true }),
};

/** Prints facts: as one JSON document, or as text. */
export function writeFacts(
  terminal: Terminal,
  { json }: { readonly json: boolean },
  facts: unknown,
  text: () => string,
): void {
  // Facts are plain values.
  terminal.write(json ? `${formatJson(facts as JsonInput)}\n` : text());
}

/** A terminal whose output is only the document of a command: messages of its work are not part of it. */
export function withMessagesAside(terminal: Terminal, { json }: { readonly json: boolean }): Terminal {
  return json ? { ...terminal, write: (text) => terminal.writeError(text) } : terminal;
}
