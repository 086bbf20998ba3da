import { makeArg } from "../../lib/kit/arg.ts";
import { findCoins, formatCoins } from "../../model/coins.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { AppError } from "../errors.ts";
import { localCoin, postLocal } from "../local/localControl.ts";
import { option } from "../options.ts";
import { notWords } from "../terminal/commandLine.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

/** Coins as a decimal number. */
const coinsArg = makeArg<bigint>({
  schema: { type: "string" },
  allowed: "coins, such as 5 or 0.25, with at most nine decimals",
  read: (value) => findCoins(String(value)),
});

export const faucet = declareCommand({
  name: "faucet",
  summary: "Give coins of the running local network to an account.",
  usage: ["ADDRESS [--amount COINS]"],
  examples: [
    "tongate faucet EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
    "tongate faucet EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N --amount 0.5 --port 9000",
  ],
  options: { amount: option(coinsArg, "100", "Coins to give.", { value: "COINS" }), ...jsonOption },
  server: "local",
  run: async (terminal, { config, words, own }) => {
    const [address, ...more] = words;
    if (address === undefined || more.length > 0)
      throw new AppError("app/usage", `faucet takes one address${notWords(words)}`);
    const amount = formatCoins(own.amount);
    const { message_hash: hash, status, ...others } = await postLocal(config, "faucet", { address, amount });
    const seen = status === "sent" ? "in a block" : "waiting for a block";
    const facts = { address, amount, message_hash: hash, status, ...others };
    writeFacts(
      terminal,
      own,
      facts,
      () => `gave ${amount} ${localCoin(config).symbol} to ${address}: message ${hash}, ${seen}\n`,
    );
  },
});
