import { emptyCell } from "../../src/cell/Builder.ts";
import { writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { storeCell } from "../../src/cell/codec.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { coinsOnly } from "../../src/model/Currency.ts";
import { Message } from "../../src/model/Message.ts";
import { deploySelfCalling } from "./selfCallingContract.ts";

/** Asks what a message to a contract that calls itself would do: `fanOut` messages from each of its transactions. */
export async function emulateSelfCalling(origin: string, fanOut: number, signal?: AbortSignal): Promise<Response> {
  return fetch(`${origin}/api/emulate/v1/emulateTrace`, {
    method: "POST",
    signal: signal ?? null,
    headers: { "content-type": "application/json", "accept-encoding": "identity" },
    body: JSON.stringify({ boc: Buffer.from(writeBoc(makeSelfCalling(fanOut))).toString("base64") }),
  });
}

/** The message that deploys and begins it. */
export function makeSelfCalling(fanOut: number, body = emptyCell): Cell {
  const { to, amount, init } = deploySelfCalling(fanOut);
  return storeCell(Message, {
    info: {
      ...{ kind: "internal", ihrDisabled: true, bounce: false, bounced: false },
      ...{ src: makeAddress(0, "1".repeat(64)), dest: to, value: coinsOnly(amount) },
      ...{ extraFlags: 0n, fwdFee: 0n, createdLt: 0n, createdAt: 0 },
    },
    ...{ init, body, initPlace: "ref", bodyPlace: "ref" },
  });
}

const fanOut = 250;

/** Emulates transactions with nearly as many messages from each as it may send, up to the limit of a trace. */
export async function emulateManyMessages(origin: string): Promise<void> {
  const answer = await emulateSelfCalling(origin, fanOut);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`emulateTrace: ${answer.status} ${text.slice(0, 300)}`);
  const shown: readonly { readonly out_msgs: readonly unknown[] }[] = Object.values(JSON.parse(text).transactions);
  const messages = shown.map(({ out_msgs: sent }) => sent.length);
  if (messages.length < 100 || messages.some((count) => count !== fanOut))
    throw new Error(`not a hundred transactions with ${fanOut} messages each: ${messages.join(" ")}`);
}
