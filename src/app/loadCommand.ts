import { allSettings, type LoadedConfig, loadConfig, options, settingsFor } from "./config.ts";
import { mergeSettings, type Options, type OptionValues, parseOwnFlags, refuseUnknownFlag } from "./options.ts";

/** The configuration, and the options of one command. */
export interface LoadedCommand<O extends Options> extends LoadedConfig {
  readonly own: OptionValues<O>;
  /** Whether the command line sets at least one of the command's own options. */
  readonly hasOwn: boolean;
}

/** Loads the configuration for a command that has options of its own; an unknown option is compared with all of them. */
export function loadCommand<O extends Options>(args: readonly string[], ownOptions: O): LoadedCommand<O> {
  const { own, rest } = parseOwnFlags(args, ownOptions);
  // Own options come first in the list, and override settings of the same name.
  refuseUnknownFlag(rest, { ...ownOptions, ...allSettings, ...ownOptions }, allSettings);
  return { ...loadConfig(rest), own: mergeSettings(ownOptions, [own]).values, hasOwn: own.size > 0 };
}

/** Settings for the help of commands that send requests to a running server, and do not listen themselves. */
export function serverSettings(...names: readonly (keyof typeof options)[]): Options {
  return {
    host: { ...options.host, about: "Address of the running server." },
    port: { ...options.port, about: "Port of the running server." },
    ...settingsFor(...names),
  };
}
