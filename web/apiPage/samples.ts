import type { PageSamples, SampleName } from "../api/types.ts";
import { cellTreeOf } from "./cellTreeOf.ts";

/** Values that exist on this server's network, for the fields of its API pages. */
export interface Found {
  readonly values: Row;
  /** Signed messages by the path of the operation that they are for. */
  readonly signed: Readonly<Record<string, Row>>;
}

/** Sends a request to the server; `undefined` if the status is not 200. */
export type AskJson = (path: string) => Promise<unknown>;

/** Sends a request that changes nothing; `undefined` when the answer is not 200. */
export type PostJson = (path: string, body: unknown) => Promise<unknown>;

type Row = Readonly<Record<string, unknown>>;

const row = (value: unknown): Row => Object(value);
const rows = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.map(row) : []);
const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** An empty cell, as a bag. */
const emptyBag = "te6cckEBAQEAAgAAAEysuc0=";
/** The operation whose message causes the pending transactions that the page of v3 shows. */
const pendingPath = "/message";

/** The sample of a name for an operation; of a message that nobody signed where there is no other. */
export function findSample({ values, signed }: Found, path: string, name: SampleName): unknown {
  const own = row(signed[path]);
  const block = row(values.block);
  switch (name) {
    case "blockWorkchain":
      return block.workchain;
    case "blockShard":
      return block.shard;
    case "blockSeqno":
      return block.seqno;
    case "transfer":
      return values.wallet && { from: values.wallet, to: values.wallet, value: "10000000" };
    case "orders":
      return values.wallet && [{ address: values.wallet, amount: "10000000" }];
    case "pendingWallet":
      return row(signed[pendingPath]).from ?? values.wallet;
    case "opcode":
      return values.opcode ?? "0x0f8a7ea5";
    case "signedFrom":
      return own.from ?? values.wallet;
    case "signedBoc":
      return own.boc ?? emptyBag;
    case "signedBody":
      return own.body ?? emptyBag;
    case "signedCode":
      return own.init_code ?? undefined;
    case "signedData":
      return own.init_data ?? undefined;
    case "signedBodyTree":
      return treeOf(own.body ?? emptyBag);
    case "signedCodeTree":
      return treeOf(own.init_code);
    case "signedDataTree":
      return treeOf(own.init_data);
    default:
      return values[name];
  }
}

function treeOf(boc: unknown): unknown {
  return typeof boc === "string" ? cellTreeOf(boc) : undefined;
}

/** Finds one sample of each kind. Missing kinds are left out, and their fields stay empty. */
export async function gatherSamples(base: string, samples: PageSamples, ask: AskJson, post: PostJson): Promise<Found> {
  const [values, signed] = await Promise.all([findValues(ask), signAll(base, samples, ask, post)]);
  return { values, signed };
}

async function findValues(ask: AskJson): Promise<Row> {
  const [info, seen, masters, bids] = (
    await Promise.all(
      [
        "/api/v2/getMasterchainInfo",
        "/api/v3/transactions?workchain=0&sort=asc&limit=200",
        "/api/v3/jetton/masters?limit=1",
        "/api/v3/actions?action_type=auction_bid&limit=1",
      ].map(ask),
    )
  ).map(row);
  const transactions = rows(seen?.transactions);
  const book = Object.entries(row(seen?.address_book));
  const namesOf = (each: unknown) => (row(each).interfaces as readonly string[] | undefined) ?? [];
  const ofKind = (kind: RegExp, other?: RegExp) =>
    book.find(([, each]) => {
      const names = namesOf(each);
      return names.some((name) => kind.test(name)) && !names.some((name) => other?.test(name));
    })?.[0];
  const named = book.find(([, each]) => text(row(each).domain) !== undefined);
  const inner = transactions.find(({ in_msg: message }) => text(row(message).source) !== undefined);
  const message = row(inner?.in_msg);
  const wallet = ofKind(/^wallet_v[345]/) ?? inner?.account;
  const pool = ofKind(/^tv_pool$/);
  const staked = row(pool && (await ask(`/api/v3/staking/nominatorPools/pool?pool=${pool}`)));
  const values: Partial<Record<SampleName | "block", unknown>> = {
    seqno: row(row(info?.result).last).seqno,
    utime: inner?.now,
    block: row(inner?.block_ref),
    wallet,
    account: inner?.account,
    hash: inner?.hash,
    lt: inner?.lt,
    trace: inner?.trace_id,
    message: message.hash,
    body: row(message.message_content).body,
    opcode: transactions.map((each) => text(row(each.in_msg).opcode)).find((each) => each !== undefined),
    source: message.source,
    destination: message.destination,
    createdLt: message.created_lt,
    master: rows(masters?.jetton_masters)[0]?.address,
    collection: ofKind(/^nft_collection$/, /^dns/),
    sale: ofKind(/^nft_sale/),
    domain: text(row(named?.[1]).domain),
    resolver: ofKind(/^dns$/),
    multisig: ofKind(/^multisig_v2$|^multisig$/),
    vesting: ofKind(/^wallet_vesting$/),
    pool: pool ?? inner?.account,
    nominator: rows(staked.active_nominators)[0]?.address ?? wallet,
    validator: staked.validator_address ?? wallet,
    bidder: row(rows(bids?.actions)[0]?.details).bidder ?? wallet,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * The first wallet that signs for a page. Each operation has a wallet of its own, so that all of them can be tried on
 * one page, and so has each page: several may be open. The last wallet is of a kind without seqno.
 */
const firstSender: Readonly<Record<string, number>> = { "/localnet": 1, "/api/v4": 2, "/api/v2": 3, "/api/v3": 8 };
const validSeconds = 86_400;

/** Signed messages of the funded wallets, which only a local network has: small transfers to themselves. */
async function signAll(base: string, samples: PageSamples, ask: AskJson, post: PostJson): Promise<Found["signed"]> {
  const isSigned = (sample: unknown) => typeof sample === "string" && sample.startsWith("signed");
  const senders = Object.keys(samples).filter((path) => Object.values(samples[path] ?? {}).some(isSigned));
  const wallets = senders.length === 0 ? [] : rows(row(await ask("/localnet/wallets")).result);
  const signed = await Promise.all(
    senders.map(async (path, at) => {
      const from = wallets[(firstSender[base] ?? 0) + at]?.address;
      if (from === undefined) return [];
      const order = { from, to: from, amount: "0.01", comment: path.slice(1), valid_seconds: validSeconds };
      const { result } = row(await post("/localnet/signTransfer", order));
      return result === undefined ? [] : [[path, row(result)] as const];
    }),
  );
  return Object.fromEntries(signed.flat());
}
