import type { Address } from "../../model/Address.ts";
import type { NetworkKeys } from "../wallets/networkKeys.ts";
import { type DemoPeople, type DemoStage, interleave, peopleOf } from "./DemoStage.ts";
import { type DemoDns, makeDns } from "./dns.ts";
import { type DemoJetton, makeJetton } from "./jetton.ts";
import { type DemoMarket, makeMarket } from "./market.ts";
import { type DemoMultisig, makeMultisig } from "./multisig.ts";
import { type DemoNft, makeNft } from "./nft.ts";
import { type DemoStaking, makeStaking } from "./staking.ts";
import { type DemoVesting, makeVesting } from "./vesting.ts";

/**
 * Example contracts of a new network: a token, items, a market, names, a multisig wallet, a vesting wallet, a
 * nominator pool and validators. All addresses follow from the keys of the network.
 */
export interface Demo {
  readonly people: DemoPeople;
  readonly jetton: DemoJetton;
  readonly nft: DemoNft;
  readonly market: DemoMarket;
  readonly dns: DemoDns;
  readonly multisig: DemoMultisig;
  readonly vesting: DemoVesting;
  readonly staking: DemoStaking;
  /** The contracts by their displayed names. */
  readonly contracts: readonly (readonly [string, Address])[];
  /** The messages that create it. */
  readonly stages: readonly DemoStage[];
}

/** The demo set of a network; nothing is sent yet. */
export function makeDemo(keys: Pick<NetworkKeys, "wallets" | "validators" | "stakes">): Demo {
  const people = peopleOf(keys);
  const [jetton, jettonStages] = makeJetton(people);
  const [nft, nftStages] = makeNft(people);
  const [market, marketStages] = makeMarket(people, nft);
  const [dns, dnsStages] = makeDns(people);
  const [multisig, multisigStages] = makeMultisig(people);
  const [vesting, vestingStages] = makeVesting(people);
  const [staking, stakingStages] = makeStaking(people, keys);
  const validators = keys.stakes.map(({ wallet }) => wallet.address);
  const parts = { people, jetton, nft, market, dns, multisig, vesting, staking };
  return {
    ...parts,
    contracts: listContracts(parts, validators),
    // The longest part first: the others run beside it.
    stages: interleave([
      stakingStages,
      ...[dnsStages, jettonStages, [...nftStages, ...marketStages], multisigStages, vestingStages],
    ]),
  };
}

function listContracts(parts: Omit<Demo, "contracts" | "stages">, validators: readonly Address[]): Demo["contracts"] {
  const { people, jetton, nft, market, dns, multisig, vesting, staking } = parts;
  return [
    ["jetton master", jetton.minter],
    ["jetton wallet of wallet 1", jetton.walletOf(people.alice.address)],
    ["NFT collection", nft.collection],
    ...nft.items.map((item, index) => [`NFT item ${index}`, item] as const),
    ["NFT marketplace", market.market],
    ["NFT sale, open", market.openSale],
    ["NFT sale, finished", market.finishedSale],
    ["DNS root", dns.root],
    ["DNS collection", dns.collection],
    ...Object.entries(dns.names),
    ["tea.ton, auctioned", dns.auctionedName],
    ["multisig", multisig.wallet],
    ["multisig order, executed", multisig.executedOrder],
    ["multisig order, open", multisig.openOrder],
    ["vesting wallet", vesting.wallet],
    ["nominator pool", staking.pool],
    ["validator of the pool", staking.validator],
    ["observer of the validators", staking.observer],
    ...validators.map((address, index) => [`validator ${index + 1} of the network`, address] as const),
  ];
}
