import type { Cell } from "../../cell/Cell.ts";
import type { WholeEmulation } from "../../chain/run/emulation.ts";
import type { AbiLibrary } from "../../contracts/AbiLibrary.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import type { Address } from "../../model/Address.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { Hash } from "../../model/Hash.ts";
import { describeEmulated } from "../v3/pending/emulated.ts";
import type { EmulationAnswer } from "./answer.ts";
import { maxBagBytes } from "./args.ts";

/** The base of an emulated run. */
export interface EmulationPlace {
  /** The masterchain block whose state was used. */
  readonly head: BlockIdExt;
  readonly messageHash: Hash;
  readonly randomSeed: Hash;
}

/** The part of an answer that follows from the run alone. */
export function* describeRun(
  run: Omit<WholeEmulation, "contracts">,
  { head, messageHash: hash, randomSeed }: EmulationPlace,
  abis?: AbiLibrary,
): Steps<Pick<EmulationAnswer, "mcSeqno" | "transactions" | "codes" | "datas" | "randomSeed" | "isIncomplete">> {
  // Shard blocks continue like masterchain blocks.
  const placeOf = ({ account, mcSeqno }: { readonly account: Address; readonly mcSeqno: number }) => {
    const block = run.shardBlocks.get(account) ?? head;
    return { ...block, seqno: block.seqno + mcSeqno - head.seqno };
  };
  const transactions = yield* describeEmulated({ ...run, sent: { hash, normalizedHash: hash } }, undefined, {
    placeOf,
    maxBagBytes,
    abis,
  });
  return { mcSeqno: head.seqno, transactions, ...listCells(run), randomSeed, isIncomplete: run.left > 0 };
}

/** Code and data of every touched account, before and after each of its transactions. */
function listCells({
  before,
  states,
  transactions,
}: Pick<WholeEmulation, "before" | "states" | "transactions">): Pick<EmulationAnswer, "codes" | "datas"> {
  const [codes, datas] = [new Map<Hash, Cell>(), new Map<Hash, Cell>()];
  const touched = new Set(transactions.map(({ seen }) => seen.account));
  const found = [...before].filter(([address]) => touched.has(address)).map(([, state]) => state);
  for (const { account } of [...found, ...states]) {
    const loaded = account.load();
    if (loaded.kind !== "account" || loaded.storage.state.kind !== "active") continue;
    const { code, data } = loaded.storage.state.init;
    if (code !== undefined) codes.set(code.hash(), code);
    if (data !== undefined) datas.set(data.hash(), data);
  }
  return { codes, datas };
}
