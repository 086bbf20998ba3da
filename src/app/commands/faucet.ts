import { makeArg } from "../../lib/kit/arg.ts";
import { findCoins, formatCoins } from "../../model/coins.ts";
import type { Command } from "../Command.ts";
import { AppError } from "../errors.ts";
import { loadCommand, serverSettings } from "../loadCommand.ts";
import { postLocal } from "../local/localControl.ts";
import { option } from "../options.ts";
import { notWords } from "../terminal/commandLine.ts";

/** Coins as a decimal number. */
const coinsArg = makeArg<bigint>({
  schema: { type: "string" },
  allowed: "coins, such as 5 or 0.25, with at most nine decimals",
  read: (value) => findCoins(String(value)),
});

const ownOptions = { amount: option(coinsArg, "100", "Coins to give.", { value: "COINS" }) };

export const faucet: Command = {
  name: "faucet",
  summary: "Give coins of the running local network to an account.",
  usage: ["ADDRESS [--amount COINS]"],
  examples: [
    "tongate faucet EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
    "tongate faucet EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N --amount 0.5 --port 9000",
  ],
  options: ownOptions,
  settings: serverSettings("networks"),
  run: async (terminal, args) => {
    const { config, words, own } = loadCommand(args, ownOptions);
    const [address, ...more] = words;
    if (address === undefined || more.length > 0)
      throw new AppError("app/usage", `faucet takes one address${notWords(words)}`);
    const { amount } = own;
    const { message_hash: hash, status } = await postLocal(config, "faucet", { address, amount: formatCoins(amount) });
    const seen = status === "sent" ? "in a block" : "waiting for a block";
    terminal.write(`gave ${formatCoins(amount)} TON to ${address}: message ${hash}, ${seen}\n`);
  },
};
