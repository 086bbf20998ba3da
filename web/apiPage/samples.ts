/** Values that exist on this server's network, for the fields of its API pages. */
export interface Samples {
  readonly values: Readonly<Record<string, unknown>>;
}

/** Sends a request to the server; `undefined` if the status is not 200. */
export type AskJson = (path: string) => Promise<unknown>;

/** Sends a request that changes nothing; `undefined` when the answer is not 200. */
export type PostJson = (path: string, body: unknown) => Promise<unknown>;

type Row = Readonly<Record<string, unknown>>;

const row = (value: unknown): Row => Object(value);
const rows = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.map(row) : []);
const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** Finds one sample of each kind. Missing kinds are left out, and their fields stay empty. */
export async function gatherSamples(ask: AskJson, post: PostJson): Promise<Samples> {
  const [info, seen, actions, masters, wallets, collections, items] = (
    await Promise.all(
      [
        "/api/v2/getMasterchainInfo",
        "/api/v3/transactions?workchain=0&sort=asc&limit=200",
        "/api/v3/actions?sort=asc&limit=20",
        "/api/v3/jetton/masters?limit=1",
        "/api/v3/jetton/wallets?limit=1",
        "/api/v3/nft/collections?limit=1",
        "/api/v3/nft/items?limit=1",
      ].map(ask),
    )
  ).map(row);
  const transactions = rows(seen?.transactions);
  const book = Object.entries(row(seen?.address_book));
  const ofKind = (kind: RegExp) =>
    book.find(([, each]) =>
      (row(each).interfaces as readonly string[] | undefined)?.some((name) => kind.test(name)),
    )?.[0];
  const named = book.find(([, each]) => text(row(each).domain) !== undefined);
  const inner = transactions.find(({ in_msg: message }) => text(row(message).source) !== undefined);
  const message = row(inner?.in_msg);
  const action = rows(actions?.actions)[0];
  const wallet = rows(wallets?.jetton_wallets)[0];
  const last = row(row(info?.result).last);
  const signed = await signAll(ask, post);
  const values: Record<string, unknown> = {
    ...signed,
    seqno: last.seqno,
    workchain: last.workchain,
    shard: last.shard,
    block: row(inner?.block_ref),
    wallet: ofKind(/^wallet_v[345]/) ?? inner?.account,
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
    action: action?.action_id,
    master: rows(masters?.jetton_masters)[0]?.address,
    jettonWallet: wallet?.address,
    jettonOwner: wallet?.owner,
    collection: rows(collections?.nft_collections)[0]?.address,
    item: rows(items?.nft_items)[0]?.address,
    sale: ofKind(/^nft_sale/),
    domain: text(row(named?.[1]).domain),
    resolver: ofKind(/^dns$/),
    multisig: ofKind(/^multisig_v2$|^multisig$/),
    vesting: ofKind(/^wallet_vesting$/),
  };
  return { values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) };
}

/** Operations that send a message. Each has a wallet of its own, so that all of them can be tried on one page. */
const senders = ["sendBoc", "sendBocReturnHash", "sendBocReturnHashNoError", "sendQuery", "sendQuerySimple", "message"];
/** The first wallets own the demo contracts; the last one is of a kind without seqno. */
const firstSender = 3;
const validSeconds = 86_400;

/** Signed messages of the funded wallets, which only a local network has: small transfers to themselves. */
async function signAll(ask: AskJson, post: PostJson): Promise<Record<string, unknown>> {
  const wallets = rows(row(await ask("/localnet/wallets")).result);
  const signed = await Promise.all(
    senders.map(async (name, at) => {
      const from = wallets[firstSender + at]?.address;
      if (from === undefined) return [];
      const order = { from, to: from, amount: "0.01", comment: name, valid_seconds: validSeconds };
      const { result } = row(await post("/localnet/signTransfer", order));
      return result === undefined ? [] : [[`signed ${name}`, result] as const];
    }),
  );
  return Object.fromEntries(signed.flat());
}
