import { appendFile, readFile, rename, writeFile } from "node:fs/promises";

/**
 * Reports every deposit to an address exactly once, even if the program is killed between any two steps.
 *
 * Transactions of one account are ordered by their logical time (lt), and v3 lists them from any lt. The processor
 * stores the lt of the last handled transaction. It reports a deposit first and stores the lt afterwards, so a crash
 * between the two reports the same deposit again: the ledger ignores known deposits by the hash of the transaction.
 */
export async function processDeposits({ baseUrl, address, stateFile, ledger, signal, pollMs = 500 }) {
  let { lastLt } = await readState(stateFile);
  while (!signal.aborted) {
    const transactions = await listTransactions(baseUrl, address, BigInt(lastLt) + 1n);
    for (const transaction of transactions) {
      const deposit = findDeposit(transaction);
      if (deposit !== undefined) await ledger.add(deposit);
      lastLt = transaction.lt;
      await writeState(stateFile, { lastLt });
    }
    if (transactions.length === 0) await pause(pollMs, signal);
  }
}

async function listTransactions(baseUrl, account, startLt) {
  const query = new URLSearchParams({ account, start_lt: String(startLt), sort: "asc", limit: "100" });
  const response = await fetch(`${baseUrl}/api/v3/transactions?${query}`);
  // Not ready, or too many requests: the next round tries again.
  if (response.status === 429 || response.status >= 500) return [];
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer.transactions;
}

/**
 * Coins that came from another account and were kept. A failed transaction keeps them too, unless it bounces: an
 * address without a contract fails every time and still receives.
 */
function findDeposit({ hash, now, in_msg: message, description }) {
  const cameIn = message !== null && message.source !== null && BigInt(message.value ?? 0) > 0n;
  const wentBack = description.bounce?.type === "ok";
  if (!cameIn || wentBack || message.bounced) return undefined;
  const comment = message.message_content?.decoded?.comment ?? "";
  return { hash, time: now, from: message.source, nanocoins: message.value, comment };
}

/** A ledger in a file: one deposit per line, without duplicates. */
export async function openLedger(file) {
  const written = await readFile(file, "utf8").catch(() => "");
  // A line that a crash cut off has no line break; it is written again.
  const lines = written.slice(0, written.lastIndexOf("\n") + 1);
  if (lines.length < written.length) await writeFile(file, lines);
  const seen = new Set(
    lines
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).hash),
  );
  return {
    async add(deposit) {
      if (seen.has(deposit.hash)) return;
      await appendFile(file, `${JSON.stringify(deposit)}\n`);
      seen.add(deposit.hash);
    },
  };
}

/** An unreadable file is an error: starting over would be worse. */
async function readState(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return { lastLt: "0" };
    throw error;
  }
}

/** Replaces the old file atomically, so that a crash leaves one or the other. */
async function writeState(file, state) {
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}

function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
