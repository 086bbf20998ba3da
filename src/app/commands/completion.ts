import type { Command } from "../Command.ts";
import { AppError } from "../errors.ts";
import { parseFlags } from "../options.ts";
import { notWords } from "../terminal/commandLine.ts";
import { formatCompletion, shells } from "../terminal/completion.ts";

/** The command that prints how a shell completes command lines of all commands. */
export function makeCompletion(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    summary: "Print a script that completes commands and options in bash, zsh or fish.",
    usage: [shells.join(" | ")],
    words: shells,
    examples: [
      "source <(tongate completion bash)",
      "source <(tongate completion zsh)",
      "tongate completion fish > ~/.config/fish/completions/tongate.fish",
    ],
    run: async (terminal, args) => {
      const [word, ...more] = parseFlags(args, {}).words;
      const shell = shells.find((each) => each === word);
      if (shell === undefined || more.length > 0)
        throw new AppError("app/usage", `completion takes one of ${shells.join(", ")}${notWords(args)}`);
      terminal.write(formatCompletion(shell, commands()));
    },
  };
}
