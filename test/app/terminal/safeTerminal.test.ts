import { expect, it } from "vitest";
import { StatusTerminal } from "../../../src/app/terminal/StatusTerminal.ts";
import { safeTerminal } from "../../../src/app/terminal/safeTerminal.ts";
import { styleFor } from "../../../src/app/terminal/style.ts";

function openRecording(facts: { readonly isInteractive: boolean; readonly hasColours: boolean }) {
  const texts: string[] = [];
  const add = (text: string): void => {
    texts.push(text);
  };
  return { texts, terminal: safeTerminal({ write: add, writeError: add, columns: () => 80, ...facts }) };
}

it("lets through the marks and the status line of this program, and no other control sequence", () => {
  const { texts, terminal } = openRecording({ isInteractive: true, hasColours: true });
  const marked = styleFor(terminal).bad("problem");
  terminal.write(`${marked}\n`);
  new StatusTerminal(terminal).show("working");
  terminal.writeError("a\u001b]0;title\u0007\u001b[2K\r\u001b[8mhidden\u202e\n");
  expect(texts).toEqual([
    "\u001b[31mproblem\u001b[0m\n",
    "\r\u001b[2Kworking",
    "a\\u001b]0;title\\u0007\\u001b[2K\\u000d\\u001b[8mhidden\\u202e\n",
  ]);
});

it("lets through nothing where there is no terminal", () => {
  const { texts, terminal } = openRecording({ isInteractive: false, hasColours: false });
  terminal.write("\r\u001b[2K\u001b[31mred\u001b[0m\n");
  expect(texts).toEqual(["\\u000d\\u001b[2K\\u001b[31mred\\u001b[0m\n"]);
});
