import type { Cell } from "../../cell/Cell.ts";
import { storeCell } from "../../cell/codec.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { accountOf, makeAddress, workchainOf } from "../../model/Address.ts";
import { masterchain, sameBlock } from "../../model/block/BlockId.ts";
import { coinsOnly } from "../../model/Currency.ts";
import { configParam, findConfigParam, getConfigParam } from "../../model/config/ConfigParams.ts";
import { ValidatorDescr } from "../../model/config/ValidatorSet.ts";
import type { Fork } from "../fork/Fork.ts";
import { makeAccount } from "../genesis/genesis.ts";
import { headView } from "../ledger/ChainView.ts";
import type { Ledger } from "../ledger/Ledger.ts";
import type { ChainClock } from "../rounds/ChainClock.ts";
import type { NetworkKeys } from "../wallets/networkKeys.ts";
import type { Controls } from "./Controls.ts";
import { giverBalance, walletBalance } from "./makeNetwork.ts";

/** What the first block of a fork is made of. */
export interface NewFork {
  readonly ledger: Ledger;
  readonly keys: NetworkKeys;
  readonly clock: ChainClock;
  readonly controls: Controls;
  step(): Promise<unknown>;
}

/** The last second that a validator set can name. */
const forever = 2 ** 32 - 1;
const weight = 1_000_000n;

/** Sets of validators of other times: those of the origin are not ours. */
const otherSets = [32, 33, 35, 36, 37] as const;

/**
 * Makes the first block of a fork, a key block: its configuration names the validators of this network, and it has the
 * wallets of one. Everything else stays as it was.
 */
export async function beginFork(fork: Fork, net: NewFork): Promise<void> {
  await fork.touch(listSystemAccounts(net));
  if (!sameBlock(net.ledger.headId, fork.base.master.id)) {
    void fork.checkOrigin();
    return;
  }
  const { wallets, giver } = net.keys;
  const funded = [
    { ...giver, balance: giverBalance },
    ...wallets.map(({ wallet }) => ({ ...wallet, balance: walletBalance })),
  ];
  await fork.touch(funded.map(({ address }) => address));
  changeConfig(fork, net);
  // A network of the same keys has these wallets already.
  const missing = funded.filter(
    ({ address }) => headView(net.ledger).shardAccount(address).account.load().kind === "none",
  );
  net.controls.load(
    missing.map(({ address, init, balance }) => {
      const place = { workchain: workchainOf(address), account: accountOf(address) };
      return makeAccount({ ...place, balance, init }, coinsOnly(balance), net.clock.seconds);
    }),
  );
  await net.step();
}

/** The accounts that every block reads. */
function* listSystemAccounts({ ledger }: NewFork) {
  const { config } = headView(ledger);
  const named = ([0, 1, 2, 3, 4] as const).map((id) => findConfigParam(config, id));
  for (const account of [...named, ...(findConfigParam(config, 31)?.keys() ?? [])])
    if (account !== undefined) yield makeAddress(masterchain, account);
}

function changeConfig({ facts }: Fork, { controls, ledger, keys: { validator }, clock }: NewFork): void {
  const { config } = headView(ledger);
  const { publicKey, adnlAddress } = validator;
  const set = {
    kind: "extended" as const,
    sinceAt: clock.seconds,
    untilAt: forever,
    total: 1,
    main: 1,
    totalWeight: weight,
    list: makeDictionary(uintKey(16), ValidatorDescr, [[0, { kind: "withAddress", publicKey, weight, adnlAddress }]]),
  };
  const address = makeAddress(masterchain, getConfigParam(config, 0));
  const write = (param: number, value: Cell | undefined) => controls.write(address, { kind: "config", param, value });
  write(34, storeCell(configParam[34], set));
  for (const id of otherSets) if (config.params.has(id)) write(id, undefined);
  if (config.params.has(19)) write(19, storeCell(configParam[19], facts.globalId));
}
