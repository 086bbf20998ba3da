import type { Command } from "../Command.ts";
import { choicesOf, flagOf, type Option } from "../options.ts";

/** Shells with a completion script. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** What may follow a flag: nothing, one of some words, a file, a folder, or anything. */
type FlagValue =
  | { readonly kind: "none" | "file" | "folder" | "any" }
  | { readonly kind: "words"; readonly words: readonly string[] };

interface CompletedFlag {
  readonly flag: string;
  readonly about: string;
  readonly value: FlagValue;
}

interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly words: readonly string[];
  readonly flags: readonly CompletedFlag[];
}

/** The completion script of a shell; it runs without a process of ours. */
export function formatCompletion(shell: Shell, commands: readonly Command[]): string {
  const completed = commands.map(completeCommand);
  const names = completed.map(({ name }) => name);
  const all = [...completed, { name: "help", summary: "Show help for a command.", words: names, flags: [] }];
  switch (shell) {
    case "bash":
      return formatBash(all);
    case "zsh":
      return formatZsh(all);
    case "fish":
      return formatFish(all);
  }
}

function completeCommand({ name, summary, words = [], options = {}, settings = {} }: Command): CompletedCommand {
  const flags = Object.entries({ ...settings, ...options })
    .filter(([, { isFileOnly }]) => !isFileOnly)
    .flatMap(([setting, option]) => completeFlags(setting, option));
  return { name, summary, words, flags: [...flags, { flag: "--help", about: "Show help.", value: { kind: "none" } }] };
}

function completeFlags(name: string, option: Option<unknown>): CompletedFlag[] {
  const { about, isFlag, fallback } = option;
  const flag = flagOf(name);
  const own = { flag, about, value: findValue(option) };
  return isFlag && fallback === true ? [own, { ...own, flag: flag.replace("--", "--no-") }] : [own];
}

function findValue(option: Option<unknown>): FlagValue {
  if (option.isFlag) return { kind: "none" };
  const words = choicesOf(option);
  if (words.length > 0) return { kind: "words", words };
  if (option.value === "FILE") return { kind: "file" };
  return { kind: option.value === "FOLDER" ? "folder" : "any" };
}

// Options without a command belong to the first one, so they are offered at the start, too.
function firstWords([first, ...others]: readonly CompletedCommand[]): string {
  const flags = first?.flags.map(({ flag }) => flag) ?? [];
  return [first?.name ?? "", ...others.map(({ name }) => name), ...flags].join(" ");
}

function formatBash(commands: readonly CompletedCommand[]): string {
  const [first] = commands;
  return `# Completion of tongate for bash. Put this into ~/.bashrc: source <(tongate completion bash)
_tongate() {
  local word="\${COMP_WORDS[COMP_CWORD]}" last="\${COMP_WORDS[COMP_CWORD-1]}" command="${first?.name ?? ""}" at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      ${commands.map(({ name }) => name).join(" | ")}) command="\${COMP_WORDS[at]}"; break ;;
    esac
  done
  case "$command $last" in
${commands.flatMap(bashValues).join("\n")}
  esac
  if ((at == COMP_CWORD)) && [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${firstWords(commands)}" -- "$word"))
    return
  fi
  case "$command" in
${commands
  .map(({ name, words, flags }) => {
    const offered = [...words, ...flags.map(({ flag }) => flag)].join(" ");
    return `    ${name}) COMPREPLY=($(compgen -W "${offered}" -- "$word")) ;;`;
  })
  .join("\n")}
  esac
}
complete -F _tongate tongate
`;
}

function bashValues({ name, flags }: CompletedCommand): string[] {
  return flags.flatMap(({ flag, value }) => {
    const offer = bashOffer(value);
    return offer === undefined ? [] : [`    "${name} ${flag}") ${offer}; return ;;`];
  });
}

function bashOffer(value: FlagValue): string | undefined {
  switch (value.kind) {
    case "none":
      return undefined;
    case "words":
      return `COMPREPLY=($(compgen -W "${value.words.join(" ")}" -- "$word"))`;
    case "file":
      return 'COMPREPLY=($(compgen -f -- "$word"))';
    case "folder":
      return 'COMPREPLY=($(compgen -d -- "$word"))';
    case "any":
      return ":";
  }
}

/** In single quotes, where zsh's _arguments also interprets brackets and colons. */
function zshText(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replace(/[[\]:]/g, "\\$&")
    .replaceAll("'", "'\\''");
}

function formatZsh(commands: readonly CompletedCommand[]): string {
  const [first] = commands;
  return `#compdef tongate
# Completion of tongate for zsh. Put this into ~/.zshrc: source <(tongate completion zsh)
_tongate() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    '${name}:${zshText(summary)}'`).join("\n")}
  )
  local command="${first?.name ?? ""}"
  if (( CURRENT == 2 )) && [[ "\${words[2]}" != -* ]]; then
    _describe 'command' commands
    return
  fi
  if [[ "\${words[2]}" != -* ]]; then
    command="\${words[2]}"
    shift words
    (( CURRENT-- ))
  fi
  case "$command" in
${commands.map(zshCase).join("\n")}
  esac
}
if [[ "\${funcstack[1]}" == _tongate ]]; then _tongate "$@"; else compdef _tongate tongate; fi
`;
}

function zshCase({ name, words, flags }: CompletedCommand): string {
  const specs = flags.map(({ flag, about, value }) => `'${flag}[${zshText(about)}]${zshValue(value)}'`);
  const word = words.length === 0 ? [] : [`'1:word:(${words.join(" ")})'`];
  return `    ${name}) _arguments ${[...specs, ...word].join(" ")} ;;`;
}

function zshValue(value: FlagValue): string {
  switch (value.kind) {
    case "none":
      return "";
    case "words":
      return `:word:(${value.words.join(" ")})`;
    case "file":
      return ":file:_files";
    case "folder":
      return ":folder:_files -/";
    case "any":
      return ":value: ";
  }
}

function fishText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function formatFish(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const lines = commands.flatMap(({ name, summary, words, flags }, at) => {
    // Options without a command belong to the first one.
    const isUsed = `__fish_seen_subcommand_from ${name}`;
    const isMeant = at === 0 ? `${isUsed}; or not __fish_seen_subcommand_from $__fish_tongates` : isUsed;
    return [
      `complete -c tongate -n 'not __fish_seen_subcommand_from $__fish_tongates' -a ${name} -d ${fishText(summary)}`,
      ...words.map((word) => `complete -c tongate -n '${isUsed}' -a ${word}`),
      ...flags.map(
        ({ flag, about, value }) =>
          `complete -c tongate -n '${isMeant}' -l ${flag.slice(2)} -d ${fishText(about)}${fishValue(value)}`,
      ),
    ];
  });
  return `# Completion of tongate for fish: tongate completion fish > ~/.config/fish/completions/tongate.fish
set -g __fish_tongates ${names}
complete -c tongate -f
${lines.join("\n")}
`;
}

function fishValue(value: FlagValue): string {
  switch (value.kind) {
    case "none":
      return "";
    case "words":
      return ` -x -a ${fishText(value.words.join(" "))}`;
    case "file":
      return " -r -F";
    case "folder":
      return " -x -a '(__fish_complete_directories)'";
    case "any":
      return " -x";
  }
}
