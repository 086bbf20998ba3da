import { openStore } from "../../src/api/client/verify/openStore.ts";
import { TrustedBlocks } from "../../src/api/client/verify/TrustedBlocks.ts";
import { type CheckedCall, type ReceivedAnswer, Verifier } from "../../src/api/client/verify/Verifier.ts";
import type { ProofRequest } from "../../src/api/declare/proof.ts";
import type { V2Services } from "../../src/api/v2/declare.ts";
import { v2Endpoints } from "../../src/api/v2/list.ts";
import { getTransactions } from "../../src/api/v2/transactions.ts";
import { V2Reader } from "../../src/api/v2/V2Reader.ts";
import { writeBoc } from "../../src/cell/boc.ts";
import { LiveChains } from "../../src/chain/LiveChains.ts";
import { serverSource } from "../../src/chain/serverSource.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { parseJson } from "../../src/lib/json.ts";
import { openLog } from "../../src/lib/log.ts";
import { Localnet } from "../../src/localnet/network/Localnet.ts";
import { signTransfers } from "../../src/localnet/wallets/transfer.ts";
import { hashToBase64 } from "../../src/model/Hash.ts";
import { openExecutor } from "../../src/tvm/run/openExecutor.ts";
import { type Benchmark, benchmark } from "../kit/benchmark.ts";
import { type BrowserReceiver, openBrowserReceiver } from "./browserReceiver.ts";
import { browserColumn, columns } from "./columns.ts";
import { indexBenchmarks } from "./indexBenchmarks.ts";
import { openServing, type Serving } from "./openServing.ts";
import { sizeBenchmarks } from "./sizeBenchmarks.ts";

const { signal } = new AbortController();
const log = openLog({ level: "silent" });

/** A server and a receiver over a local network that stands still. */
interface Stage {
  readonly serving: Serving<V2Services>;
  readonly call: (name: string) => CheckedCall<V2Services>;
  readonly check: (call: CheckedCall<V2Services>, answer: ReceivedAnswer) => Promise<unknown>;
  /** The arguments of an operation, as a client sends them. */
  readonly argsOf: (name: string) => object;
  /** Opened by the first measurement in a page. */
  readonly browser: () => Promise<BrowserReceiver>;
}

const rounds = 20;

async function openStage(): Promise<Stage> {
  const executor = await openExecutor({}, { clock: systemClock });
  const net = await Localnet.open({ seed: "verify", pace: { kind: "manual" } }, { clock: systemClock, executor, log });
  const [sender, receiver] = net.keys.wallets;
  if (sender === undefined || receiver === undefined) throw new Error("the network has no wallets");
  const transfer = { to: receiver.wallet.address, amount: 1_000_000_000n };
  const signing = { seqno: 0, now: net.clock.seconds };
  await net.submit(writeBoc(signTransfers(sender.wallet, [transfer], signing)));
  for (let i = 0; i < rounds; i++) await net.step();
  const { ledger, lite } = net;
  const head = () => ({ block: ledger.headId, genUtime: ledger.head?.info.genUtime ?? 0 });
  const zeroState = ledger.zero.id;
  const start = { zeroState, initBlock: zeroState };
  const chains = new LiveChains({ source: serverSource(lite, head), executor, clock: systemClock, zeroState });
  const verifier = new Verifier<V2Services>({
    ...{ start, executor, clock: systemClock, maxAge: Number.POSITIVE_INFINITY },
    trusted: new TrustedBlocks(start, openStore("memory", "")),
    services: (opened) => ({ isLive: () => true, chains: opened, stdExitCode: "result" }),
  });
  const serving = openServing<V2Services>({ isLive: () => true, chains });
  const samples = await findSamples(serving, sender.wallet.address, ledger.headId.seqno);
  const call = (name: string) => callOf(name, samples, zeroState);
  const check: Stage["check"] = (each, answer) => verifier.check(each, answer);
  const argsOf = (name: string) => operations[name]?.(samples) ?? {};
  const [root_hash, file_hash] = [hashToBase64(zeroState.rootHash), hashToBase64(zeroState.fileHash)];
  let opened: Promise<BrowserReceiver> | undefined;
  const browser = () => {
    opened ??= openBrowserReceiver({ ...block, seqno: 0, root_hash, file_hash }, head().genUtime * 1000);
    return opened;
  };
  return { serving, call, check, argsOf, browser };
}

interface Samples {
  readonly address: string;
  readonly seqno: number;
  /** A message that the account sent. */
  readonly message: { readonly source: string; readonly destination: string; readonly created_lt: string };
}

async function findSamples(serving: Serving<V2Services>, address: string, seqno: number): Promise<Samples> {
  const args = new V2Reader(getTransactions.args).fromObject({ address, limit: 1 });
  const [newest] = parseJson(await serving.serve({ endpoint: getTransactions, args })) as unknown as readonly {
    readonly out_msgs: readonly Samples["message"][];
  }[];
  const message = newest?.out_msgs[0];
  if (message === undefined) throw new Error("the transfer was not made");
  const { source, destination, created_lt } = message;
  return { address, seqno, message: { source, destination, created_lt } };
}

const block = { workchain: -1, shard: "-9223372036854775808" } as const;

const emptyCell = "te6cckEBAQEAAgAAAEysuc0=";

/** Measured operations, with their arguments. */
const operations: Readonly<Record<string, (samples: Samples) => object>> = {
  getAddressBalance: ({ address }) => ({ address }),
  getAddressState: ({ address }) => ({ address }),
  getAddressInformation: ({ address }) => ({ address }),
  getExtendedAddressInformation: ({ address }) => ({ address }),
  getShardAccountCell: ({ address }) => ({ address }),
  getWalletInformation: ({ address }) => ({ address }),
  getMasterchainInfo: () => ({}),
  getMasterchainBlockSignatures: ({ seqno }) => ({ seqno }),
  getShards: ({ seqno }) => ({ seqno }),
  getShardBlockProof: ({ seqno }) => ({ workchain: 0, shard: "-9223372036854775808", seqno: seqno - 3 }),
  lookupBlock: ({ seqno }) => ({ ...block, seqno: seqno - 3 }),
  getBlockHeader: ({ seqno }) => ({ ...block, seqno }),
  getRawBlock: ({ seqno }) => ({ ...block, seqno }),
  getBlockTransactions: ({ seqno }) => ({ ...block, seqno }),
  getBlockTransactionsExt: ({ seqno }) => ({ ...block, seqno }),
  getTransactions: ({ address }) => ({ address, limit: 10 }),
  tryLocateTx: ({ message }) => message,
  tryLocateResultTx: ({ message }) => message,
  tryLocateSourceTx: ({ message }) => message,
  getConfigParam: () => ({ config_id: 15 }),
  getConfigAll: () => ({}),
  runGetMethod: ({ address }) => ({ address, method: "seqno", stack: [] }),
  estimateFee: ({ address }) => ({ address, body: emptyCell, ignore_chksig: true }),
};

function callOf(name: string, samples: Samples, since: CheckedCall<V2Services>["since"]): CheckedCall<V2Services> {
  const endpoint = v2Endpoints.find((each) => each.name === name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  const given = operations[name]?.(samples) ?? {};
  return { endpoint, args: new V2Reader(endpoint.args).fromObject({ ...given }), since, signal };
}

/** The proof of the head is made once a block, for all receivers that name the same key block. */
const upToDate: ProofRequest = { since: 0 };

type Row = Omit<Benchmark, "measure">;

const rowOf = (name: string, unit: string, baseline: string, mark?: number): Row => ({
  ...{ name, group: "verify", unit, baseline, mark },
});

/** A comparison with the same request without a proof, past the cache of answers. */
function raced(
  row: Row,
  name: string,
  open: () => Promise<Stage>,
  subject: (stage: Stage) => () => Promise<unknown>,
): Benchmark {
  const measure: Benchmark["measure"] = async () => {
    const stage = await open();
    const call = stage.call(name);
    const { mark: _mark, ...rest } = row;
    const baseline = { name: row.baseline, run: () => stage.serving.serve(call) };
    return benchmark({ ...rest, baseline, subject: { run: subject(stage) } }).measure();
  };
  return { ...row, measure };
}

function benchmarksOf(name: string, open: () => Promise<Stage>): readonly Benchmark[] {
  const measureBytes = async () => {
    const stage = await open();
    const { result, proof } = await stage.serving.prove(stage.call(name), upToDate);
    return { value: proof.length, ratio: proof.length / result.length };
  };
  const withProof = (stage: Stage) => {
    const call = stage.call(name);
    return () => stage.serving.serve(call, upToDate);
  };
  const receive = (stage: Stage) => {
    const call = stage.call(name);
    const received = stage.serving.prove(call, upToDate).then(({ result, proof }) => ({
      result: parseJson(result),
      proof: parseJson(proof, { maxLength: 1 << 26 }),
    }));
    return async () => stage.check(call, await received);
  };
  // 5 ms for an account and 10 for code that runs are the budget.
  const limitMs = /^(?:runGetMethod|estimateFee)$/.test(name) ? 10 : 5;
  const measureInPage = async () => {
    const stage = await open();
    const { result, proof } = await stage.serving.prove(stage.call(name), upToDate);
    const answer = `{"ok":true,"result":${result},"proof":${proof}}`;
    const ms = await (await stage.browser()).measure({ name, args: stage.argsOf(name), answer });
    return { value: ms, ratio: limitMs / ms };
  };
  return [
    {
      ...rowOf(`${name}: size of the proof`, "bytes", "the result"),
      cell: { row: name, ...columns.size },
      measure: measureBytes,
    },
    // 1.3 times the CPU of the request without a proof is the budget.
    raced(
      { ...rowOf(`${name}: server`, "requests/s", "without a proof", 0.77), cell: { row: name, ...columns.server } },
      ...([name, open, withProof] as const),
    ),
    raced(
      {
        ...rowOf(`${name}: receiver, head known`, "answers/s", "the server, without"),
        cell: { row: name, ...columns.node },
      },
      ...([name, open, receive] as const),
    ),
    {
      ...rowOf(`${name}: receiver in Chromium`, "ms", `${limitMs} ms`, 1),
      cell: { row: name, ...browserColumn },
      measure: measureInPage,
    },
  ];
}

/** The network is opened by the first measurement. */
export function verifyBenchmarks(): readonly Benchmark[] {
  let opened: Promise<Stage> | undefined;
  const open = (): Promise<Stage> => {
    opened ??= openStage();
    return opened;
  };
  const v2 = Object.keys(operations).flatMap((name) => benchmarksOf(name, open));
  return [...sizeBenchmarks(), ...v2, ...indexBenchmarks()];
}
