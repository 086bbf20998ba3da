import { intArg, textArg } from "../../lib/kit/basicArgs.ts";
import { findAddress } from "../../model/Address.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { keyOption } from "../client/loadClients.ts";
import { settingsFor } from "../config.ts";
import { AppError } from "../errors.ts";
import { logLevelOption, option, textsArg } from "../options.ts";
import { notWords } from "../terminal/commandLine.ts";
import { jsonOption } from "../terminal/writeFacts.ts";

/** What services allow without a key, and with one. */
const keylessRate = 1;
const keyedRate = 10;

const ownOptions = {
  operations: option(
    textsArg("names of operations joined by commas", (text) => text || undefined),
    [],
    "Only these operations of v2, joined by commas; unset: all that can be compared.",
    { value: "NAMES" },
  ),
  addresses: option(
    textsArg("addresses joined by commas", (text) => findAddress(text)?.address),
    [],
    "Accounts to check in addition to those of the newest blocks, joined by commas.",
    { value: "ADDRESSES" },
  ),
  minutes: option(
    intArg({ min: 1, max: 100_000 }),
    undefined,
    "How long to keep checking, one block after another; unset: one of the newest blocks, once.",
    { value: "N" },
  ),
  rate: option(
    intArg({ min: 1, max: 1_000 }),
    undefined,
    `Requests per second; unset: ${keylessRate}, or ${keyedRate} with a key.`,
  ),
  out: option(
    textArg({ minLength: 1, maxLength: 4_096 }),
    undefined,
    "File for the report as JSON: every difference, with the answers of lite servers that prove it.",
    { value: "FILE" },
  ),
  logLevel: logLevelOption("warn"),
  ...keyOption,
  ...jsonOption,
};

export const audit = declareCommand({
  name: "audit",
  summary:
    "Check the answers of any TON Center API service against what lite servers prove. " +
    "Exits with 1 if an answer contradicts the chain, and with 2 if nothing could be compared.",
  usage: ["URL"],
  examples: [
    "tongate audit https://toncenter.com/api/v2 --network mainnet",
    "tongate audit https://example.org/api/v2 --network mainnet --minutes 60 --api-key KEY --out audit.json",
    "tongate audit http://localhost:8081 --operations getAddressInformation,getTransactions",
  ],
  options: ownOptions,
  server: "configured",
  settings: settingsFor("globalConfig", "trust"),
  run: async (terminal, { config, words, own }) => {
    const [url, ...more] = words;
    if (url === undefined || more.length > 0) throw new AppError("app/usage", `audit takes one URL${notWords(words)}`);
    const { runAudit } = await import("../audit/runAudit.ts");
    const rate = own.rate ?? (own.apiKey === undefined ? keylessRate : keyedRate);
    await runAudit({ ...config, logLevel: own.logLevel }, url, { ...own, rate }, terminal);
  },
});
