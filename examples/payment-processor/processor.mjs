import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Reports every deposit to an address exactly once, even if the program is killed between any two steps.
 *
 * Transactions of one account are ordered by their logical time (lt), and v3 lists them from any lt. The processor
 * stores the lt of the last handled transaction. It reports a deposit first and stores the lt afterwards, so a crash
 * between the two reports the same deposit again: the ledger ignores known deposits by the hash of the transaction.
 *
 * A server that is lost or busy is asked again until it answers; a request that it refuses ends the program.
 */
export async function processDeposits({
  baseUrl,
  address,
  stateFile,
  ledger,
  signal,
  log = console.log,
  pollMs = 500,
}) {
  let { lastLt } = await readState(stateFile);
  log(`watching ${address} at ${baseUrl}, after lt ${lastLt}`);
  let problem;
  while (!signal.aborted) {
    const answer = await listTransactions(baseUrl, address, BigInt(lastLt) + 1n, signal);
    if (signal.aborted) break;
    // Only a change is news: a lost server would fill the log.
    if (answer.problem !== problem) log(answer.problem ?? "the server answers again");
    problem = answer.problem;
    for (const transaction of answer.transactions) {
      const deposit = findDeposit(transaction);
      if (deposit !== undefined && (await ledger.add(deposit))) log(describe(deposit));
      lastLt = transaction.lt;
      await writeState(stateFile, { lastLt });
    }
    if (answer.transactions.length === 0) await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
  log(`stopped after lt ${lastLt}`);
}

/** The next transactions, or none and why the server has to be asked again. */
async function listTransactions(baseUrl, account, startLt, signal) {
  const query = new URLSearchParams({ account, start_lt: String(startLt), sort: "asc", limit: "100" });
  const retry = (reason) => ({ transactions: [], problem: `${reason}; trying again` });
  let response;
  let answer;
  try {
    response = await fetch(`${baseUrl}/api/v3/transactions?${query}`, { signal });
    answer = await response.json();
  } catch (error) {
    return retry(`${baseUrl} cannot be reached (${error.cause?.code ?? error.message})`);
  }
  if (response.status === 429 || response.status >= 500) return retry(`the server answers ${response.status}`);
  if (!response.ok) throw new Error(`the server refuses the request: ${answer.error}`);
  return { transactions: answer.transactions };
}

function describe({ nanocoins, from, comment, hash }) {
  const coins = `${BigInt(nanocoins) / 1_000_000_000n}.${nanocoins.padStart(9, "0").slice(-9)}`;
  return `deposit of ${coins} from ${from}${comment === "" ? "" : `, comment ${JSON.stringify(comment)}`}, transaction ${hash}`;
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
    /** Whether the deposit is new. */
    async add(deposit) {
      if (seen.has(deposit.hash)) return false;
      await appendFile(file, `${JSON.stringify(deposit)}\n`);
      seen.add(deposit.hash);
      return true;
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
