import { intArg, oneOfArg, textArg } from "../lib/kit/basicArgs.ts";
import { option } from "./options.ts";

/** The settings of a local network that continues another one. */
export const forkOptions = {
  fork: option(
    textArg({ minLength: 1, maxLength: 4096 }),
    undefined,
    "Network that the local one continues: mainnet, testnet, a network named in the file, a global config file, or the address of another Tongate.",
    { value: "NETWORK" },
  ),
  forkBlock: option(
    intArg({ min: 1, max: 2 ** 31 - 1 }),
    undefined,
    "Masterchain block that a new fork continues; unset: the newest one.",
    { value: "SEQNO" },
  ),
  forkTime: option(
    oneOfArg(["now", "block"]),
    "now",
    "From when the time of a new fork goes on: from now, or from the time of its block.",
  ),
  forkQueues: option(
    oneOfArg(["leave", "deliver"]),
    "leave",
    "Whether a new fork delivers the messages that are under way at its block; only small networks give them.",
  ),
  forkId: option(
    intArg({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    undefined,
    "Global id of a new fork; unset: that of the network it continues.",
    { value: "NUMBER" },
  ),
};
