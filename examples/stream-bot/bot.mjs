import { readFile, rename, writeFile } from "node:fs/promises";
import { createV3Client } from "tongate-client";

/**
 * Reports everything that happens to an address, and misses nothing while it is down.
 *
 * Every finalized event of the stream has a cursor. The bot delivers the notices of an event first and stores its
 * cursor afterwards, so a crash between the two delivers the same notices again, each with the same key. The first
 * start stores its first block: a crash before the first event starts there again.
 */
export async function openBot({ baseUrl, address, stateFile, deliver, signal }) {
  const v3 = createV3Client(`${baseUrl}/api/v3`);
  const begin = (await readState(stateFile)) ?? (await beginHere(v3, stateFile));
  try {
    for await (const event of v3.watch({ types: ["actions"], addresses: [address], ...begin }, { signal })) {
      if (event.type !== "actions" || event.finality !== "finalized") continue;
      for (const action of event.actions) await deliver({ key: action.action_id, text: describe(action) });
      await writeState(stateFile, { after: event.cursor });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function beginHere(v3, stateFile) {
  const { last } = await v3.masterchainInfo();
  const begin = { from_mc_seqno: last.seqno };
  await writeState(stateFile, begin);
  return begin;
}

/** An action in words; unlisted kinds by their type. */
function describe({ type, success, details }) {
  const mark = success ? "" : " (failed)";
  switch (type) {
    case "ton_transfer":
      return `${details.source} sent ${Number(details.value) / 1e9} TON to ${details.destination}${mark}`;
    case "jetton_transfer":
      return `${details.sender} sent ${details.amount} units of jetton ${details.asset} to ${details.receiver}${mark}`;
    default:
      return `${type.replaceAll("_", " ")}${mark}`;
  }
}

/** Undefined before the first start; an unreadable file is an error, or the bot would start over. */
async function readState(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Replaces the old file atomically, so that a crash leaves one or the other. */
async function writeState(file, state) {
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}
