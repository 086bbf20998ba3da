import type { Options } from "./options.ts";

/** The output of a command: its result, and messages about it. */
export interface Terminal {
  write(text: string): void;
  writeError(text: string): void;
  /** Whether it is a terminal, so that a line may be overwritten. */
  readonly isInteractive?: boolean;
  /** Whether it shows colours. */
  readonly hasColours?: boolean;
  /** The current width of a line; unknown without a terminal. */
  columns?(): number;
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Complete example command lines. */
  readonly examples: readonly string[];
  /** Forms of its arguments, one per line, for help; empty if it has only options. */
  readonly usage?: readonly string[];
  /** Words that may follow its name, for completion. */
  readonly words?: readonly string[];
  /** Options of this command only; they can be set only as flags. */
  readonly options?: Options;
  /** The settings it uses, for its help. */
  readonly settings?: Options;
  /** Runs it; refuses unknown arguments with "app/usage". */
  run(terminal: Terminal, args: readonly string[]): Promise<void>;
}

/** Something that runs until it is closed. */
export interface RunningService {
  close(): Promise<void>;
}
