import { Address, beginCell, external, storeMessage } from "@ton/ton";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emulateTonConnect, emulateTrace } from "../../src/api/emulate/endpoints.ts";
import { seededRandom } from "../../src/lib/random.ts";
import type { FuzzedRequest } from "../kit/api/fuzzedV2Requests.ts";
import { V3RequestFuzzer, type ValidV3Request } from "../kit/api/fuzzedV3Requests.ts";
import { SseClient, WsClient } from "../kit/api/stream/streamClients.ts";
import { type StartedService, startService } from "../kit/app/startedService.ts";
import { repeats } from "../kit/suite/everything.ts";

/*
 * No request of the interfaces that run code or stay open ends as a fault of the server, and none is left without an
 * answer.
 */

const requests = repeats({ usual: 60, all: 500 });
const together = 16;
/** A request that takes this long has no answer. */
const hangMs = 120_000;

let service: StartedService;
beforeAll(async () => {
  service = await startService({ flags: ["--block-ms", "400"] });
}, 600_000);
afterAll(() => service.close());

/** Does the work many times, several at once; lists the first faults. */
async function listFaults(next: () => () => Promise<string | undefined>, count = requests): Promise<string[]> {
  const faults: string[] = [];
  let left = count;
  const work = async () => {
    while (left-- > 0 && faults.length < 10) {
      const fault = await next()();
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return faults;
}

const bag = (bits: number) => beginCell().storeUint(0, bits).endCell().toBoc().toString("base64");

/** Requests for runs: every argument with values at its limits. */
function emulations(): readonly ValidV3Request[] {
  const [wallet, other] = service.wallets.map(({ address }) => address);
  const dest = Address.parse(wallet ?? "");
  const message = beginCell().store(
    storeMessage(external({ to: dest, body: beginCell().storeUint(1, 512).endCell() })),
  );
  const [names, connectNames] = [emulateTrace, emulateTonConnect].map(({ args }) => Object.keys(args));
  const trace = (args: object): ValidV3Request => ({
    ...{ name: "emulateTrace", methods: ["POST"], names: names ?? [] },
    args: { boc: message.endCell().toBoc().toString("base64"), ignore_chksig: true, ...args },
  });
  const internal = { from: wallet, to: other, value: "1000000000", body: bag(32), bounce: true };
  const connect = (args: object): ValidV3Request => ({
    ...{ name: "emulateTonConnect", methods: ["POST"], names: connectNames ?? [] },
    args: { from: wallet, messages: [{ address: other, amount: "1" }], ...args },
  });
  const override = { balance: "18446744073709551615", code: bag(8), data: bag(8) };
  const options: readonly object[] = [
    ...[{ mc_block_seqno: 1 }, { mc_block_seqno: 2 }, { mc_block_seqno: 2 ** 31 }, { mc_block_seqno: 2 ** 53 - 1 }],
    ...[{ now: 0 }, { now: 1 }, { now: 2 ** 32 - 1 }, { now: 2 ** 32 }, { now: 2 ** 53 - 1 }],
    ...[{ time_offset: -(2 ** 40) }, { time_offset: 2 ** 40 }, { time_offset: -1 }, { time_offset: 2 ** 53 - 1 }],
    ...[{ state_overrides: { [wallet ?? ""]: override } }, { state_overrides: { [other ?? ""]: { balance: "0" } } }],
    ...[{ vm_log: true, value_flow: true, with_actions: true, include_address_book: true, include_metadata: true }],
    ...[{ deterministic: true, on_pending: true }, { actions_version: "v1" }, { actions_version: "\u0000" }],
  ];
  return [
    ...options.map(trace),
    ...options.map((each) => trace({ boc: undefined, message: internal, ...each })),
    ...options.map(connect),
    ...[{ valid_until: 0 }, { valid_until: 2 ** 53 - 1 }, { valid_until: -1 }].map(connect),
    connect({ messages: [{ address: other, amount: "18446744073709551615", payload: bag(8), stateInit: bag(5) }] }),
  ];
}

/** What the contract answers with 500 (emulate.md §6); nothing of it is a fault of the server. */
const documented = [
  /^Can't deserialize message boc: /,
  /^failed to emulate shard block: EmulationExternalNotAccepted: -?[0-9]+$/,
  /^failed to emulate shard block: an external message is rejected before any code runs: /,
  /^mc block seqno is too new$/,
  /^failed to fetch mc block {2}[0-9]+: /,
  /^Invalid address format: /,
  /^Account (?:state no code or no data|is not a known wallet)$/,
  /^Unsupported wallet type: /,
];

async function findEmulationFault({ method, path, headers, body }: FuzzedRequest): Promise<string | undefined> {
  const init = { method, headers, ...(body !== undefined && { body }), signal: AbortSignal.timeout(hangMs) };
  const response = await fetch(`${service.origin}${path}`, init).catch((error: unknown) => error);
  if (!(response instanceof Response)) return `${body}: no answer: ${response}`;
  const text = await response.text();
  if (response.status < 500) return undefined;
  const { error } = Object(JSON.parse(text));
  if (response.status === 500 && documented.some((each) => each.test(error))) return undefined;
  return `${method} ${path} ${body?.slice(0, 1_000)}: ${response.status} ${text.slice(0, 300)}`;
}

it("emulation refuses what it cannot run", async () => {
  const valid = emulations();
  expect(await listFaults(plainly(valid), valid.length)).toEqual([]);
  const fuzzer = new V3RequestFuzzer(seededRandom("bent emulations"), valid, "/api/emulate/v1/");
  expect(
    await listFaults(() =>
      (
        (request) => () =>
          findEmulationFault(request)
      )(fuzzer.next()),
    ),
  ).toEqual([]);
}, 600_000);

/** The requests as they are. */
function plainly(valid: readonly ValidV3Request[]) {
  let at = 0;
  return () => {
    const { name, args } = valid[at++] ?? { name: "", args: {} };
    const request = {
      method: "POST",
      path: `/api/emulate/v1/${name}`,
      headers: {},
      asks: [],
      body: JSON.stringify(args),
    };
    return () => findEmulationFault(request);
  };
}

const base = "/api/streaming/v2/";

function subscriptions(): readonly ValidV3Request[] {
  const addresses = service.wallets.slice(0, 2).map(({ address }) => address);
  const hash = "A".repeat(43);
  const types = ["transactions", "actions", "account_state_change", "jettons_change", "blocks"];
  const all: readonly object[] = [
    ...[
      { types, addresses },
      { types: ["trace", "messages"], trace_external_hash_norms: [`${hash}=`] },
    ],
    ...[
      { types, addresses, from_mc_seqno: 0 },
      { types, addresses, from_mc_seqno: 2 ** 53 - 1, cursor: true },
    ],
    ...[{ types, addresses, from_mc_seqno: 2, replay_existing: true, include_address_book: true }],
    ...[
      { types: ["blocks"], after: "0" },
      { types: ["blocks"], after: "1.2.3" },
      { types: ["blocks"], after: hash },
    ],
    ...[{ types, jettons: addresses, code_hashes: [hash], min_finality: "pending", include_metadata: true }],
    ...[
      { types, addresses: ["*"] },
      { types: ["transactions"], addresses, msg_body_hash: hash, partial: true },
    ],
    ...[{ types, addresses, action_types: ["ton_transfer"], supported_action_types: ["v1"], retract: true }],
  ];
  const names = [...new Set(all.flatMap((each) => Object.keys(each)))];
  return all.map((args) => ({ name: "sse", methods: ["GET", "POST"], args: { id: 1, ...args }, names }));
}

/** Resolves when one of the promises does; false after the time of a request that hangs. */
async function isInTime(...any: readonly Promise<unknown>[]): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), hangMs);
  });
  const inTime = await Promise.race([...any.map((each) => each.then(() => true as const)), late]);
  clearTimeout(timer);
  return inTime;
}

async function findSseFault({ method, path, headers, body }: FuzzedRequest): Promise<string | undefined> {
  if (method !== "GET" && method !== "POST") return undefined;
  const shown = `${method} ${path.slice(0, 500)} ${body?.slice(0, 500)}`;
  const client = new SseClient(`${service.origin}${path}`, body, headers);
  try {
    const first = new Promise<void>((resolve) => {
      client.onMessage = () => resolve();
    });
    if (!(await isInTime(client.opened))) return `${shown}: no answer`;
    if (client.status !== 200) {
      await client.ended;
      // A position after the newest block is refused as one that may come to exist.
      const isAhead = client.status === 503 && client.text.includes("index is behind the cursor");
      const isFault = (client.status >= 500 && !isAhead) || client.text.includes("internal error");
      return isFault ? `${shown}: ${client.status} ${client.text.slice(0, 300)}` : undefined;
    }
    if (client.received.length === 0 && !(await isInTime(first, client.ended))) return `${shown}: no event`;
    return client.text.includes("internal error") ? `${shown}: ${client.text.slice(0, 300)}` : undefined;
  } finally {
    client.close();
  }
}

it("server-sent events begin, or say why not", async () => {
  const fuzzer = new V3RequestFuzzer(seededRandom("bent subscriptions"), subscriptions(), base);
  expect(
    await listFaults(() =>
      (
        (request) => () =>
          findSseFault(request)
      )(fuzzer.next()),
    ),
  ).toEqual([]);
}, 600_000);

/** Sends texts to a WebSocket, then a ping, which must be answered unless the server closes the connection. */
async function findWsFault(path: string, texts: readonly string[]): Promise<string | undefined> {
  const shown = `${path} ${texts.map((text) => text.slice(0, 300)).join(" ")}`;
  const client = new WsClient(`${service.origin}${path}`);
  try {
    const answered = new Promise<void>((resolve) => {
      client.onMessage = ({ id, type, seqno }) => {
        if (id === "after" || type === "watch" || seqno !== undefined) resolve();
      };
    });
    if (!(await isInTime(client.opened))) return `${shown}: no answer`;
    for (const text of texts) client.send(text);
    client.send({ operation: "ping", id: "after" });
    if (!(await isInTime(answered, client.closed))) return `${shown}: no answer to the ping`;
    const all = JSON.stringify(client.received);
    if (all.includes("internal error")) return `${shown}: ${all.slice(0, 500)}`;
    return client.closedWith?.code === 1011 ? `${shown}: closed with ${JSON.stringify(client.closedWith)}` : undefined;
  } finally {
    client.close();
  }
}

const operations: readonly unknown[] = [
  "subscribe",
  "subscribe",
  "unsubscribe",
  "ping",
  "",
  { toString: 1 },
  null,
  [[]],
];

it.each([`${base}ws`, "/api/v4/block/watch", "/api/v4/block/watch/changed"])(
  "sockets of %s answer, or close",
  async (path) => {
    const random = seededRandom(`bent messages ${path}`);
    const fuzzer = new V3RequestFuzzer(
      random,
      subscriptions().map((each) => ({ ...each, methods: ["POST"] })),
      base,
    );
    const makeText = () => {
      const { body = "" } = fuzzer.next();
      const operation = JSON.stringify(operations[random.int(operations.length)]);
      return body.replace(/^\{/, `{"operation":${operation},`);
    };
    const next = () => {
      const texts = Array.from({ length: 1 + random.int(3) }, makeText);
      return () => findWsFault(path, texts);
    };
    const isStream = path === `${base}ws`;
    expect(await listFaults(next, isStream ? requests : repeats({ usual: 24, all: 120 }))).toEqual([]);
  },
  600_000,
);

it("the service still works afterwards", async () => {
  expect((await fetch(`${service.origin}/api/v2/getMasterchainInfo`)).status).toBe(200);
});
