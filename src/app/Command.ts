import type { Options } from "./options.ts";

/** Where a command writes: its answer, and what is said about it. */
export interface Terminal {
  write(text: string): void;
  writeError(text: string): void;
  /** Whether somebody looks at it now, so that a line may be written over. */
  readonly isInteractive?: boolean;
}

/** One thing the program can be told to do. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Whole command lines that work as they stand. */
  readonly examples: readonly string[];
  /** Options that only it has; they are flags and nothing else. */
  readonly options?: Options;
  /** What of the configuration it looks at, for its help. */
  readonly settings?: Options;
  /** Does it; refuses arguments it does not know with "app/usage". */
  run(terminal: Terminal, args: readonly string[]): Promise<void>;
}
