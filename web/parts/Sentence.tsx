import type { ComponentChildren } from "preact";
import { findKnown, findOpcodeName } from "../api/book.ts";
import type { Action } from "../api/types.ts";
import { href } from "../browser/router.ts";
import { hashInPath } from "../format/hash.ts";
import { humanize } from "../format/names.ts";
import { nameOpcode } from "../format/operations.ts";
import { AddressLink } from "./AddressLink.tsx";
import { More } from "./More.tsx";
import { Ago, Badge, Coins, TokenAmount } from "./values.tsx";

/** Details of an action; every key may be missing. */
type Details = Readonly<Record<string, unknown>>;
type Teller = (details: Details, around: readonly Action[]) => ComponentChildren;

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const who = (value: unknown) => <AddressLink address={text(value)} />;
const coins = (value: unknown) => <Coins value={text(value)} />;
/** Of coins, when there is no asset. */
const tokens = (value: unknown, asset: unknown) => <TokenAmount value={text(value)} asset={text(asset)} />;
const jettons = (value: unknown, asset: unknown) => <TokenAmount value={text(value)} asset={text(asset) ?? ""} />;

function item({ nft_item: nft, nft_item_index: index }: Details): ComponentChildren {
  return <>NFT {text(nft) === undefined ? `number ${index ?? "?"}` : who(nft)}</>;
}

function comment({ comment: said, encrypted, is_encrypted_comment: hidden }: Details): ComponentChildren {
  const words = text(said);
  if (encrypted === true || hidden === true) return <span class="muted"> with an encrypted comment</span>;
  return words === undefined ? null : <Comment words={words} />;
}

const maxComment = 160;

/** Untrusted words, shown only as text. */
export function Comment({ words }: { readonly words: string }) {
  const shown = words.length > maxComment ? `${words.slice(0, maxComment)}…` : words;
  return (
    <>
      {" "}
      <q class="comment" title={words.slice(0, 2_000)}>
        <bdi>{shown}</bdi>
      </q>
    </>
  );
}

const tellers: Readonly<Record<string, Teller>> = {
  ton_transfer: (d) => (
    <>
      {who(d.source)} sent {coins(d.value)} to {who(d.destination)}
      {comment(d)}
    </>
  ),
  jetton_transfer: (d) => (
    <>
      {who(d.sender)} sent {jettons(d.amount, d.asset)} to {who(d.receiver)}
      {comment(d)}
    </>
  ),
  jetton_mint: (d) => (
    <>
      {jettons(d.amount, d.asset)} were minted for {who(d.receiver)}
    </>
  ),
  jetton_burn: (d) => (
    <>
      {who(d.owner)} burned {jettons(d.amount, d.asset)}
    </>
  ),
  jetton_swap: (d) => (
    <>
      {who(d.sender)} swapped {swapSide(d.dex_incoming_transfer)} for {swapSide(d.dex_outgoing_transfer)} on{" "}
      {String(d.dex ?? "a DEX")}
    </>
  ),
  call_contract: (d, around) => (d.opcode === "0xffffffff" ? tellReturn(d, around) : tellCall(d)),
  contract_deploy: (d) => (
    <>
      {text(d.source) === undefined ? "An external message" : who(d.source)} deployed {who(d.destination)}
    </>
  ),
  tick_tock: (d) => <>The network ran {who(d.account)} at a block's beginning or end</>,
  nft_mint: (d) => (
    <>
      {item(d)} was minted in {who(d.nft_collection)}
    </>
  ),
  nft_transfer: (d) => (
    <>
      {who(d.old_owner)} gave {item(d)} to {who(d.new_owner)}
      {comment(d)}
    </>
  ),
  nft_purchase: (d) => (
    <>
      {who(d.new_owner)} bought {item(d)} from {who(d.real_old_owner ?? d.old_owner)} for {coins(d.price)}
    </>
  ),
  nft_put_on_sale: (d) => (
    <>
      {who(d.owner)} put {item(d)} on sale for {coins(d.full_price)}
    </>
  ),
  nft_put_on_auction: (d) => (
    <>
      {who(d.owner)} put {item(d)} up for auction
    </>
  ),
  nft_cancel_sale: (d) => (
    <>
      {who(d.owner)} took {item(d)} off sale
    </>
  ),
  nft_cancel_auction: (d) => (
    <>
      {who(d.owner)} ended the auction of {item(d)}
    </>
  ),
  auction_bid: (d) => (
    <>
      {who(d.bidder)} bid {coins(d.amount)} for {item(d)}
    </>
  ),
  auction_outbid: (d) => (
    <>
      {who(d.new_bidder)} outbid {who(d.bidder)}, who got {coins(d.amount)} back
    </>
  ),
  change_dns: (d) => (
    <>
      {who(d.source)} changed a record of the domain {who(d.asset)}
    </>
  ),
  delete_dns: (d) => (
    <>
      {who(d.source)} deleted a record of the domain {who(d.asset)}
    </>
  ),
  renew_dns: (d) => (
    <>
      {who(d.source)} renewed the domain {who(d.asset)}
    </>
  ),
  dns_purchase: (d) => (
    <>
      {who(d.new_owner)} bought the domain {who(d.nft_item)} for {coins(d.price)}
    </>
  ),
  dns_release: (d) => (
    <>
      {who(d.source)} released the domain {who(d.nft_item)}
    </>
  ),
  dex_deposit_liquidity: (d) => (
    <>
      {who(d.source)} added {tokens(d.amount_1, d.asset_1)} and {tokens(d.amount_2, d.asset_2)} to the pool{" "}
      {who(d.pool)}
    </>
  ),
  dex_withdraw_liquidity: (d) => (
    <>
      {who(d.source)} took {tokens(d.amount_1, d.asset_1)} and {tokens(d.amount_2, d.asset_2)} from the pool{" "}
      {who(d.pool)}
    </>
  ),
  dedust_v2_claim_fees: (d) => (
    <>
      {who(d.source)} took {tokens(d.amount_1, d.asset_1)} and {tokens(d.amount_2, d.asset_2)} of fees from the pool{" "}
      {who(d.pool)}
    </>
  ),
  dedust_v2_claim_reward: (d) => (
    <>
      {who(d.source)} took a reward of {tokens(d.amount, d.asset)} from the pool {who(d.pool)}
    </>
  ),
  gasless_request: (d) => (
    <>
      {who(d.source)} passed on a signed request to the wallet {who(d.destination)}
    </>
  ),
  change_wallet_key: (d) => <>The wallet {who(d.destination)} got a new key</>,
  stake_deposit: (d) => (
    <>
      {who(d.stake_holder)} staked {tokens(d.amount, d.source_asset)} in {who(d.pool)}
    </>
  ),
  stake_withdrawal: (d) => (
    <>
      {who(d.stake_holder)} withdrew {coins(d.amount)} from {who(d.pool)}
    </>
  ),
  stake_withdrawal_request: (d) => (
    <>
      {who(d.stake_holder)} asked {who(d.pool)} for a stake back
    </>
  ),
  election_deposit: (d) => (
    <>
      {who(d.stake_holder)} put a stake of {coins(d.amount)} into the election
    </>
  ),
  election_recover: (d) => (
    <>
      {who(d.stake_holder)} got {coins(d.amount)} back from the elector
    </>
  ),
  subscribe: (d) => (
    <>
      {who(d.subscriber)} subscribed to {who(d.beneficiary ?? d.subscription)} for {coins(d.amount)}
    </>
  ),
  unsubscribe: (d) => (
    <>
      {who(d.subscriber)} ended the subscription {who(d.subscription)}
    </>
  ),
  multisig_create_order: (d) => (
    <>
      {who(d.source)} proposed an order to the multisig wallet {who(d.destination)}
    </>
  ),
  multisig_approve: (d) => (
    <>
      {who(d.source)} approved the order {who(d.destination)}
    </>
  ),
  multisig_execute: (d) => (
    <>
      The multisig wallet {who(d.destination)} carried out the order {who(d.source)}
    </>
  ),
  vesting_send_message: (d) => (
    <>
      {who(d.source)} sent {coins(d.amount)} from the vesting wallet {who(d.vesting)} to {who(d.destination)}
    </>
  ),
  vesting_add_whitelist: (d) => (
    <>
      {who(d.source)} allowed more receivers for the vesting wallet {who(d.vesting)}
    </>
  ),
};

function tellCall(d: Details): ComponentChildren {
  const opcode = text(d.opcode);
  return (
    <>
      {text(d.source) === undefined ? "An external message" : who(d.source)} called {who(d.destination)}
      {opcode !== undefined && <> with {nameCall(opcode, d)}</>}
      {text(d.value) !== undefined && <> and {coins(d.value)}</>}
    </>
  );
}

function nameCall(opcode: string, { destination }: Details): string {
  return nameOpcode(opcode, findOpcodeName(opcode), findKnown(text(destination) ?? "").interfaces);
}

/**
 * A message that came back is told from the side of its first sender; its operation is in the action of the same trace.
 */
function tellReturn(d: Details, around: readonly Action[]): ComponentChildren {
  const sent = around
    .map(({ details }): Details => Object(details))
    .find(({ source, destination }) => source === d.destination && destination === d.source);
  const opcode = text(sent?.opcode);
  return (
    <>
      A message of {who(d.destination)} came back from {who(d.source)}
      {text(d.value) !== undefined && <> with {coins(d.value)}</>}
      {opcode !== undefined && <>, in answer to {nameCall(opcode, { destination: d.source })}</>}
    </>
  );
}

function swapSide(side: unknown): ComponentChildren {
  const { amount, asset } = Object(side) as Details;
  return tokens(amount, asset);
}

const subjects = ["source", "sender", "owner", "initiator", "stake_holder", "bidder"];
const objects = ["destination", "recipient", "receiver", "pool", "vault", "oapp"];

/** An amount of coins only where the details say so: by an asset that is null. */
function amountOf({ amount, asset, staking_asset: staked }: Details): ComponentChildren {
  if (asset === null) return coins(amount);
  const known = text(asset ?? staked);
  return known === undefined ? `${text(amount)} units` : jettons(amount, known);
}

/** For types without their own sentence. */
function tellAny(type: string, details: Details): ComponentChildren {
  const subject = subjects.find((key) => text(details[key]) !== undefined);
  const object = objects.find((key) => text(details[key]) !== undefined);
  return (
    <>
      {humanize(type)}
      {subject !== undefined && <> by {who(details[subject])}</>}
      {object !== undefined && <> at {who(details[object])}</>}
      {text(details.amount) !== undefined && <>: {amountOf(details)}</>}
    </>
  );
}

/** An action in one sentence. */
function Sentence({ action, list }: { readonly action: Action; readonly list: readonly Action[] }) {
  const around = list.filter(({ trace_id: id }) => id === action.trace_id);
  const details: Details = Object(action.details);
  const tell = tellers[action.type];
  return (
    <span class="sentence">
      {tell === undefined ? tellAny(action.type, details) : tell(details, around)}
      {action.success === false && (
        <>
          {" "}
          <Badge tone="bad">failed</Badge>
        </>
      )}
      {action.finality !== "finalized" && (
        <>
          {" "}
          <Badge tone="warn">{action.finality}</Badge>
        </>
      )}
    </span>
  );
}

/** A sentence for each action. */
export function Story({ actions }: { readonly actions: readonly Action[] }) {
  if (actions.length === 0) return <p class="lead">The network ran a contract by itself.</p>;
  return (
    <More items={actions} step={8}>
      {(shown) =>
        shown.map((action) => (
          <p class="lead" key={action.action_id}>
            <Sentence action={action} list={actions} />
          </p>
        ))
      }
    </More>
  );
}

/** A list of actions, newest first; each links to its trace. */
export function ActionList({ actions }: { readonly actions: readonly Action[] }) {
  return (
    <ul class="rows actions">
      {actions.map((action) => (
        <li key={action.action_id} class={action.success === false ? "failed" : undefined}>
          <Sentence action={action} list={actions} />
          <span class="aside">
            <Ago at={action.end_utime} />
            {action.trace_id !== null && <a href={href(`/trace/${hashInPath(action.trace_id)}`)}>trace</a>}
          </span>
        </li>
      ))}
    </ul>
  );
}
