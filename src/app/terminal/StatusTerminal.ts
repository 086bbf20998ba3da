import type { Terminal } from "../Command.ts";

/** Moves to the start of the line and clears it. */
export const clearLine = "\r\u001b[2K";

/**
 * A terminal whose last line shows the current status. All other text goes above that line; without a terminal there is
 * no such line.
 */
export class StatusTerminal implements Terminal {
  readonly isInteractive: boolean;
  readonly hasColours: boolean;
  readonly #terminal: Terminal;
  #status = "";

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.isInteractive = terminal.isInteractive ?? false;
    this.hasColours = terminal.hasColours ?? false;
  }

  write(text: string): void {
    this.around(() => this.#terminal.write(text));
  }

  writeError(text: string): void {
    this.around(() => this.#terminal.writeError(text));
  }

  columns(): number {
    return this.#terminal.columns?.() ?? 80;
  }

  /** Runs code that writes whole lines to the same screen itself, such as the log. */
  around(write: () => void): void {
    if (this.#status !== "") this.#terminal.write(clearLine);
    write();
    if (this.#status !== "") this.#terminal.write(this.#status);
  }

  /** Replaces the status line; other text does not remove it. */
  show(status: string): void {
    if (!this.isInteractive) return;
    const cut = cutTo(status, this.columns() - 1);
    if (cut === this.#status) return;
    this.#status = cut;
    this.#terminal.write(`${clearLine}${cut}`);
  }
}

/** A line longer than the terminal would wrap and could not be cleared. */
function cutTo(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(width - 1, 0))}…`;
}
