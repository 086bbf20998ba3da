import type { ComponentChildren } from "preact";
import { type Ask, postV2, v3 } from "../../api/ask.ts";
import { findKnown } from "../../api/book.ts";
import type { V3Answer } from "../../api/types.ts";
import { useAsk } from "../../api/useAsk.ts";
import { href } from "../../browser/router.ts";
import { formatSpan } from "../../format/time.ts";
import { AddressLink, friendlyOf } from "../../parts/AddressLink.tsx";
import { Await, type Fact, Facts, Panel } from "../../parts/Panel.tsx";
import { ShareBar } from "../../parts/ShareBar.tsx";
import { Badge, Coins, HashText, Moment, TokenAmount, useNow } from "../../parts/values.tsx";
import { BalancePanel } from "./BalancePanel.tsx";
import { type ContractKind, kindsOf, lockedAt, type Schedule } from "./facts.ts";
import { PoolFacts } from "./PoolFacts.tsx";
import { SchedulePicture } from "./SchedulePicture.tsx";

interface Props {
  readonly address: string;
  /** Changes when there may be new data. */
  readonly version: number;
}

const views: Readonly<Record<ContractKind, (props: Props) => ComponentChildren>> = {
  jetton_wallet: JettonWalletFacts,
  multisig: MultisigFacts,
  order: OrderFacts,
  vesting: VestingFacts,
  sale: SaleFacts,
  item: ItemFacts,
  pool: PoolFacts,
};

/** What the index knows of a contract by its kind, and its balance over time. */
export function ContractFacts({ address, version }: Props) {
  return (
    <>
      {kindsOf(findKnown(address).interfaces).map((kind) => {
        const View = views[kind];
        return <View key={kind} address={address} version={version} />;
      })}
      <BalancePanel address={address} version={version} />
    </>
  );
}

interface FactPanelProps<Answer> {
  readonly title: string;
  readonly ask: Ask<Answer>;
  readonly version: number;
  /** Without facts there is no panel. */
  readonly factsOf: (answer: Answer) => readonly (Fact | undefined | false)[] | undefined;
  readonly children?: (answer: Answer) => ComponentChildren;
}

function FactPanel<Answer>({ title, ask, version, factsOf, children }: FactPanelProps<Answer>) {
  const loaded = useAsk(ask, version);
  if (loaded.kind === "ok" && factsOf(loaded.data) === undefined) return null;
  return (
    <Panel title={title} from={[ask]}>
      <Await of={loaded}>
        {(answer) => (
          <>
            <Facts facts={factsOf(answer) ?? []} />
            {children?.(answer)}
          </>
        )}
      </Await>
    </Panel>
  );
}

const who = (address: string | null | undefined) => <AddressLink key={address} address={address} />;
const many = (addresses: readonly string[]) => (
  <ul class="plain">
    {addresses.map((address) => (
      <li key={address}>{who(address)}</li>
    ))}
  </ul>
);

function JettonWalletFacts({ address, version }: Props) {
  return (
    <FactPanel
      title="Jetton wallet"
      ask={v3("jetton/wallets", { address: [address], limit: 1 })}
      version={version}
      factsOf={({ jetton_wallets: [wallet] }) =>
        wallet && [
          ["Holds", <TokenAmount key="balance" value={wallet.balance} asset={wallet.jetton} />],
          ["Owner", who(wallet.owner)],
          [
            "Jetton",
            <a key="jetton" href={href(`/jetton/${friendlyOf(wallet.jetton)}`)}>
              <bdi>{findKnown(wallet.jetton).token?.name ?? friendlyOf(wallet.jetton)}</bdi>
            </a>,
          ],
        ]
      }
    />
  );
}

type Order = V3Answer<"multisig/orders">["orders"][number];

function MultisigFacts({ address, version }: Props) {
  return (
    <FactPanel
      title="Multisig wallet"
      ask={v3("multisig/wallets", { address: [address], include_orders: true, limit: 1 })}
      version={version}
      factsOf={({ multisigs: [wallet] }) =>
        wallet && [
          ["Needs", `${wallet.threshold} of ${wallet.signers.length} signers`],
          ["Signers", many(wallet.signers)],
          wallet.proposers.length > 0 && ["Proposers", many(wallet.proposers)],
          [
            "Orders",
            wallet.orders.length === 0 ? (
              "none yet"
            ) : (
              <ul class="plain" key="orders">
                {wallet.orders.map((order) => (
                  <li key={order.address}>
                    {who(order.address)} <OrderState order={order} />
                  </li>
                ))}
              </ul>
            ),
          ],
        ]
      }
    />
  );
}

function OrderState({ order }: { readonly order: Order }) {
  const now = useNow();
  const isLate = !order.sent_for_execution && Number(order.expiration_date) < now;
  return (
    <>
      <Badge tone={order.sent_for_execution ? "good" : isLate ? "bad" : "warn"}>
        {order.sent_for_execution ? "executed" : isLate ? "expired" : "open"}
      </Badge>{" "}
      {order.approvals_num} of {order.threshold} approvals
    </>
  );
}

function OrderFacts({ address, version }: Props) {
  return (
    <FactPanel
      title="Multisig order"
      ask={v3("multisig/orders", { address: [address], limit: 1 })}
      version={version}
      factsOf={({ orders: [order] }) =>
        order && [
          ["State", <OrderState key="state" order={order} />],
          ["Multisig wallet", who(order.multisig_address)],
          ["Number", String(order.order_seqno)],
          ["Signers", many(order.signers)],
          order.expiration_date !== null && ["Expires", <Moment key="end" at={order.expiration_date} />],
        ]
      }
    />
  );
}

type Vesting = V3Answer<"vesting">["vesting_contracts"][number];

function scheduleOf(contract: Vesting): Schedule {
  return {
    start: Number(contract.start_time),
    duration: Number(contract.total_duration),
    period: Number(contract.unlock_period),
    cliff: Number(contract.cliff_duration),
    amount: BigInt(contract.total_amount ?? 0),
  };
}

function VestingFacts({ address, version }: Props) {
  const now = useNow();
  return (
    <FactPanel
      title="Vesting"
      ask={v3("vesting", { contract_address: [address], limit: 1 })}
      version={version}
      factsOf={({ vesting_contracts: [contract] }) => {
        if (contract === undefined) return undefined;
        const schedule = scheduleOf(contract);
        const { start, duration, period, cliff, amount } = schedule;
        const locked = lockedAt(schedule, now);
        return [
          ["Locked", <Coins key="locked" value={locked} />],
          ["Unlocked", <ShareBar key="share" part={amount - locked} whole={amount} />],
          ["Amount", <Coins key="amount" value={amount} />],
          ["Begins", <Moment key="start" at={start} />],
          ["Ends", <Moment key="end" at={start + duration} />],
          ["Unlocks", `a part every ${formatSpan(period)}${cliff > 0 ? `, after ${formatSpan(cliff)}` : ""}`],
          ["Owner", who(contract.owner_address)],
          ["Sender", who(contract.sender_address), "Who put the coins in"],
          contract.whitelist.length > 0 && ["May also send to", many(contract.whitelist)],
        ];
      }}
    >
      {({ vesting_contracts: [contract] }) =>
        contract && <SchedulePicture schedule={scheduleOf(contract)} now={Math.floor(now)} />
      }
    </FactPanel>
  );
}

/** The numbers that a get-method returns, by place; none when it fails. */
function useNumbers(address: string, method: string, version: number): readonly (number | undefined)[] {
  const loaded = useAsk(postV2("runGetMethod", { address, method, stack: [] }), version);
  const { exit_code: exit, stack } = Object(loaded.kind === "ok" ? loaded.data : {}) as {
    readonly exit_code?: number;
    readonly stack?: readonly (readonly [string, unknown])[];
  };
  if (exit !== 0) return [];
  return (stack ?? []).map(([, value]) => (typeof value === "string" ? Number(value) : undefined));
}

/** The end of a domain is not indexed: its contract knows when it was last renewed. */
const domainYear = 365 * 86_400;

function DomainFacts({ address, version, domain }: Props & { readonly domain: string }) {
  const [at] = useNumbers(address, "get_last_fill_up_time", version);
  const [, bid = 0, auctionEnd = 0] = useNumbers(address, "get_auction_info", version);
  const now = useNow();
  return (
    <FactPanel
      title="Domain"
      ask={v3("dns/records", { domain, limit: 1 })}
      version={version}
      factsOf={({ records: [record] }) =>
        record && [
          ["Name", <bdi key="name">{record.domain}</bdi>],
          ["Owner", who(record.nft_item_owner)],
          ["Wallet", record.dns_wallet === null ? "no record" : who(record.dns_wallet)],
          record.dns_next_resolver !== null && ["Names below it", who(record.dns_next_resolver)],
          record.dns_site_adnl !== null && ["Site", <HashText key="site" hash={record.dns_site_adnl} isFull />],
          record.dns_storage_bag_id !== null && [
            "Storage",
            <HashText key="bag" hash={record.dns_storage_bag_id} isFull />,
          ],
          auctionEnd > now && ["Highest bid", <Coins key="bid" value={String(bid)} />],
          auctionEnd > now && ["Auction ends", <Moment key="auction" at={auctionEnd} />],
          at !== undefined &&
            at > 0 && ["Ends", <Moment key="end" at={at + domainYear} />, "A year after it was last renewed"],
        ]
      }
    />
  );
}

type Details = Readonly<Record<string, unknown>>;
const coinsIn = (details: Details, ...names: readonly string[]) =>
  names.flatMap((name) => (/^\d+$/.test(String(details[name])) ? [String(details[name])] : []))[0];

/** Facts of a sale or an auction: which of them there are depends on the contract. */
function saleFacts(details: Details): readonly (Fact | false)[] {
  const price = coinsIn(details, "full_price", "price", "nft_price");
  const bid = coinsIn(details, "last_bid", "max_bid", "bid");
  const end = Number(details.end_time ?? 0);
  const isOver = details.is_complete === true || details.end === true || details.is_canceled === true;
  return [
    [
      "State",
      <Badge key="state" tone={isOver ? "plain" : "good"}>
        {isOver ? "finished" : "open"}
      </Badge>,
    ],
    price !== undefined && ["Price", <Coins key="price" value={price} />],
    bid !== undefined && ["Highest bid", <Coins key="bid" value={bid} />],
    typeof details.last_member === "string" && ["Bidder", who(details.last_member)],
    coinsIn(details, "min_bid") !== undefined && ["Least bid", <Coins key="min" value={coinsIn(details, "min_bid")} />],
    end > 0 && ["Ends", <Moment key="end" at={end} />],
    coinsIn(details, "marketplace_fee") !== undefined && [
      "Market's share",
      <Coins key="fee" value={coinsIn(details, "marketplace_fee")} />,
    ],
    coinsIn(details, "royalty_amount") !== undefined && [
      "Author's share",
      <Coins key="royalty" value={coinsIn(details, "royalty_amount")} />,
    ],
  ];
}

/** A sale or an auction: the price or the bids, the end, the item. */
export function SaleFacts({ address, version }: Props) {
  return (
    <FactPanel
      title="Sale"
      ask={v3("nft/sales", { address: [address] })}
      version={version}
      factsOf={({ nft_sales: [sale] }) =>
        sale && [
          ...saleFacts(Object(sale.details)),
          ["Item", nftLink(sale.nft_address)],
          ["Seller", who(sale.nft_owner_address)],
          ["Market", who(sale.marketplace_address)],
        ]
      }
    />
  );
}

function nftLink(address: string | null | undefined): ComponentChildren {
  if (address === null || address === undefined) return <span class="muted">none</span>;
  return (
    <a href={href(`/nft/${friendlyOf(address)}`)}>
      <bdi>{findKnown(address).token?.name ?? friendlyOf(address)}</bdi>
    </a>
  );
}

function ItemFacts({ address, version }: Props) {
  const ask = v3("nft/items", { address: [address], limit: 1 });
  const loaded = useAsk(ask, version);
  const item = loaded.kind === "ok" ? loaded.data.nft_items[0] : undefined;
  if (item === undefined) return null;
  const { domain } = Object(item.content) as { readonly domain?: unknown };
  return (
    <>
      {typeof domain === "string" && <DomainFacts address={address} version={version} domain={domain} />}
      <Panel title="NFT item" from={[ask]}>
        <Facts
          facts={[
            ["Item", nftLink(address)],
            ["Collection", nftLink(item.collection_address)],
            ["Owner", who(item.real_owner ?? item.owner_address)],
            ["On sale", item.on_sale ? who(item.sale_contract_address) : "no"],
          ]}
        />
      </Panel>
      {item.on_sale && item.sale_contract_address !== undefined && item.sale_contract_address !== null && (
        <SaleFacts address={item.sale_contract_address} version={version} />
      )}
    </>
  );
}
