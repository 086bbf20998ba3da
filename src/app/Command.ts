import type { Options } from "./options.ts";

/** The output of a command: its result, and messages about it. */
export interface Terminal {
  write(text: string): void;
  writeError(text: string): void;
  /** Whether it is a terminal, so that a line may be overwritten. */
  readonly isInteractive?: boolean;
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Complete example command lines. */
  readonly examples: readonly string[];
  /** Options of this command only; they can be given only as flags. */
  readonly options?: Options;
  /** The settings it uses, for its help. */
  readonly settings?: Options;
  /** Runs it; refuses unknown arguments with "app/usage". */
  run(terminal: Terminal, args: readonly string[]): Promise<void>;
}
