import { describe, expect, it } from "vitest";
import { StatusTerminal } from "../../../src/app/terminal/StatusTerminal.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

const clear = "\r\u001b[2K";

describe("a terminal with a status line", () => {
  it("keeps the line below everything else, cut to the width", () => {
    const inner = { ...recordTerminal(), isInteractive: true, columns: () => 10 };
    const terminal = new StatusTerminal(inner);
    terminal.write("hello\n");
    terminal.show("block 1");
    terminal.show("block 1");
    terminal.write("news\n");
    terminal.around(() => inner.write("log\n"));
    terminal.show("block 1234567");
    terminal.show("");
    terminal.write("bye\n");
    expect(inner.written()).toBe(
      [
        "hello\n",
        `${clear}block 1`,
        `${clear}news\nblock 1`,
        `${clear}log\nblock 1`,
        `${clear}block 12…`,
        clear,
        "bye\n",
      ].join(""),
    );
  });

  it("is plain without a terminal", () => {
    const inner = recordTerminal();
    const terminal = new StatusTerminal(inner);
    terminal.show("block 1");
    terminal.write("news\n");
    expect(inner.written()).toBe("news\n");
  });
});
