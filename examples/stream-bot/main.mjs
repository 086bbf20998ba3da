import { openBot } from "./bot.mjs";

const [address, folder = "."] = process.argv.slice(2);
if (address === undefined) {
  console.error("usage: node main.mjs ADDRESS [FOLDER]");
  process.exit(2);
}

const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
process.on("SIGINT", () => stop.abort());

const webhook = process.env.WEBHOOK_URL;

/** Prints a notice or posts it. The receiver recognises a repeated notice by its key. */
async function deliver({ key, text }) {
  if (webhook === undefined) {
    console.log(text);
    return;
  }
  const headers = { "content-type": "application/json", "idempotency-key": key };
  const response = await fetch(webhook, { method: "POST", headers, body: JSON.stringify({ text }) });
  if (!response.ok) throw new Error(`${webhook} answered ${response.status}`);
}

await openBot({
  baseUrl: process.env.TONGATE_URL ?? "http://127.0.0.1:8081",
  address,
  stateFile: `${folder}/bot-state.json`,
  deliver,
  signal: stop.signal,
});
