import type { Command, Terminal } from "../Command.ts";
import { allSettings, type LoadedConfig, loadConfig, options, settingsFor } from "../config.ts";
import { localName, networkName } from "../networks/planNetworks.ts";
import { mergeSettings, type Options, type OptionValues, parseOwnFlags, refuseUnknownFlag } from "../options.ts";
import { withRunningServer } from "./serverFile.ts";

/** The configuration, and the options of one command. */
export interface LoadedCommand<O extends Options> extends LoadedConfig {
  readonly own: OptionValues<O>;
  /** Whether the command line sets at least one of the command's own options. */
  readonly hasOwn: boolean;
}

/** A command as it is declared: its options are parsed before it runs. */
interface CommandDeclaration<O extends Options> extends Omit<Command, "options" | "run"> {
  readonly options: O;
  /**
   * The network whose running server it asks: the local one, or that of --network. Without --host and --port, it is the
   * server that uses the data folder.
   */
  readonly server?: "local" | "configured";
  run(terminal: Terminal, loaded: LoadedCommand<O>): Promise<void>;
}

/** Declares a command; an unknown option is compared with those of its help, and every setting is accepted. */
export function declareCommand<O extends Options>(declared: CommandDeclaration<O>): Command {
  const { options: own, server, ...rest } = declared;
  const settings = { ...(server === undefined ? {} : serverSettings(server)), ...declared.settings };
  return {
    ...rest,
    ...(Object.keys(own).length > 0 && { options: own }),
    settings,
    run: async (terminal, args) => {
      const loaded = loadCommand(args, { options: own, settings });
      await declared.run(terminal, server === undefined ? loaded : findRunning(loaded, server));
    },
  };
}

/** Loads the configuration for a command that has options of its own. */
export function loadCommand<O extends Options>(
  args: readonly string[],
  { options: ownOptions, settings = allSettings }: { readonly options: O; readonly settings?: Options },
): LoadedCommand<O> {
  const { own, rest } = parseOwnFlags(args, ownOptions);
  // Own options come first in the list, and override settings of the same name.
  refuseUnknownFlag(rest, { ...ownOptions, ...settings, ...ownOptions }, allSettings);
  return { ...loadConfig(rest), own: mergeSettings(ownOptions, [own]).values, hasOwn: own.size > 0 };
}

function findRunning<O extends Options>(loaded: LoadedCommand<O>, server: "local" | "configured"): LoadedCommand<O> {
  const { config, flags } = loaded;
  if (flags.has("host") || flags.has("port")) return loaded;
  const [first = localName] = server === "local" ? [] : config.network;
  return { ...loaded, config: withRunningServer(config, networkName(first, config.networks)) };
}

const fromFolder = "unset: that of the server that uses the data folder";

/** Settings of commands that send requests to a running server, and do not listen themselves. */
function serverSettings(server: "local" | "configured"): Options {
  return {
    host: { ...options.host, fallback: undefined, about: `Address of the running server; ${fromFolder}.` },
    port: { ...options.port, fallback: undefined, about: `Port of the running server; ${fromFolder}, or 8081.` },
    data: { ...options.data, about: "Data folder of the running server." },
    ...settingsFor(...(server === "local" ? [] : (["network"] as const)), "networks"),
  };
}
