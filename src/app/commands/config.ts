import { readFileSync } from "node:fs";
import { orAborted } from "../../lib/abort.ts";
import { systemClock } from "../../lib/clock.ts";
import { runWithin } from "../../lib/deadline.ts";
import { textArg } from "../../lib/kit/basicArgs.ts";
import { systemRandom } from "../../lib/random.ts";
import type { AdnlAddress } from "../../lite/adnl/AdnlClient.ts";
import { LiteConnection } from "../../lite/server/LiteConnection.ts";
import type { Command, Terminal } from "../Command.ts";
import { loadCommand } from "../client/declareCommand.ts";
import { allSettings, formatConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import {
  askNode,
  findNetworkOf,
  makeNodeConfig,
  type NodeReport,
  readNodeAddress,
  readPublicKey,
} from "../networks/nodeConfig.ts";
import { option } from "../options.ts";
import { notWords } from "../terminal/commandLine.ts";

const text = textArg({ minLength: 1, maxLength: 4096 });

const ownOptions = {
  publicKey: option(text, undefined, "With from-node: path of the node's liteserver.pub.", { value: "FILE" }),
  at: option(text, undefined, "With from-node: address of the node's lite server.", {
    value: "HOST:PORT",
  }),
};

const reachMs = 10_000;

export const config: Command = {
  name: "config",
  summary: "Print the configuration in effect, passwords masked; from-node prints one that uses your own node.",
  usage: ["[from-node --public-key FILE --at HOST:PORT]"],
  words: ["from-node"],
  examples: [
    "tongate config",
    "tongate config --network mainnet --port 8080",
    "tongate config from-node --public-key liteserver.pub --at 10.0.0.7:4924 > tongate.json",
  ],
  options: ownOptions,
  settings: allSettings,
  run: async (terminal, args) => {
    const { words, shown, own, hasOwn } = loadCommand(args, { options: ownOptions });
    const { publicKey, at } = own;
    if (words.length === 0 && !hasOwn) {
      terminal.write(formatConfig(shown));
      return;
    }
    if (words.length !== 1 || words[0] !== "from-node")
      throw new AppError("app/usage", `config takes no argument, or from-node${notWords(words)}`);
    if (publicKey === undefined || at === undefined)
      throw new AppError("app/usage", "config from-node needs --public-key FILE and --at HOST:PORT");
    await printNodeConfig(terminal, {
      ...readNodeAddress(at),
      publicKey: readPublicKey(readFileSync(publicKey), publicKey),
    });
  },
};

async function printNodeConfig(terminal: Terminal, address: AdnlAddress): Promise<void> {
  const report = await reachNode(address);
  const network = findNetworkOf(report);
  const chain =
    network === undefined
      ? "of an unknown network; the configuration trusts the zero state that this node reports"
      : `of ${network}`;
  terminal.writeError(`the node at ${address.host}:${address.port} has block ${report.headSeqno} ${chain}\n`);
  terminal.write(`${JSON.stringify(makeNodeConfig(address, report), undefined, 2)}\n`);
}

async function reachNode(address: AdnlAddress): Promise<NodeReport> {
  const server = new LiteConnection(address, { clock: systemClock, random: systemRandom });
  try {
    return await runWithin(systemClock, reachMs, ({ signal }) => orAborted(askNode(server, signal), signal));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice =
      "check that this machine can reach the port, that the node's config.json has liteservers, and that the key belongs to that lite server";
    throw new AppError("app/unreachable", `${address.host}:${address.port} does not answer: ${reason}; ${advice}`, {
      cause,
    });
  } finally {
    await server.close();
  }
}
