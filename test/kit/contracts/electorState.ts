import { readJson } from "../../../kit/suite/corpus.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { ShardAccount } from "../../../src/model/Account.ts";

/** A state of `staking/elector-states.json`: its data, or where in the corpus it is. */
export interface RecordedElector {
  readonly data_boc: string | null;
  readonly origin: string;
}

/** The data of a recorded elector. */
export function electorState(folder: string, { data_boc: boc, origin }: RecordedElector): Cell {
  if (boc !== null) return readRoot(Buffer.from(boc, "base64"));
  const path = /replays\/[\w./-]+\.json/.exec(origin)?.[0];
  if (path === undefined) throw new Error(`no data of ${origin}`);
  const { input } = readJson(folder, path) as { readonly input: { readonly shard_account_before: string } };
  const { account } = loadCell(ShardAccount, readRoot(Buffer.from(input.shard_account_before, "base64")));
  const state = account.load();
  const data =
    state.kind === "account" && state.storage.state.kind === "active" ? state.storage.state.init.data : undefined;
  if (data === undefined) throw new Error(`${origin} has no data`);
  return data;
}
