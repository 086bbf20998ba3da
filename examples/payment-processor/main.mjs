import { openLedger, processDeposits } from "./processor.mjs";

const [address, folder = "."] = process.argv.slice(2);
if (address === undefined) {
  console.error("usage: node main.mjs ADDRESS [FOLDER]");
  process.exit(2);
}

const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
process.on("SIGINT", () => stop.abort());

await processDeposits({
  baseUrl: process.env.TONGATE_URL ?? "http://127.0.0.1:8081",
  address,
  stateFile: `${folder}/processor-state.json`,
  ledger: await openLedger(`${folder}/deposits.jsonl`),
  signal: stop.signal,
});
