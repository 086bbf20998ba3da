import { useState } from "preact/hooks";
import { v3 } from "../api/ask.ts";
import { findKnown, nameOf } from "../api/book.ts";
import { checkBy } from "../api/check.ts";
import { useNews } from "../api/live.ts";
import type { Account as AccountData } from "../api/types.ts";
import { useAsk } from "../api/useAsk.ts";
import { href } from "../browser/router.ts";
import { labels, setLabel } from "../browser/settings.ts";
import { useModule } from "../browser/useModule.ts";
import { parseAddress } from "../format/address.ts";
import { nameInterface, nameStatus } from "../format/names.ts";
import { AccountDot, friendlyOf } from "../parts/AddressLink.tsx";
import { Copy } from "../parts/Copy.tsx";
import { later } from "../parts/later.tsx";
import { Await, Facts, Panel } from "../parts/Panel.tsx";
import { Tabs } from "../parts/Tabs.tsx";
import { Badge, Coins, HashText } from "../parts/values.tsx";
import { ActionsTab, NftsTab, TokensTab, TransactionsTab } from "./account/lists.tsx";
import type { PageProps } from "./PageProps.ts";

const tabs = [
  ["actions", "Actions"],
  ["transactions", "Transactions"],
  ["tokens", "Tokens"],
  ["nfts", "NFTs"],
  ["methods", "Read"],
  ["write", "Write"],
  ["storage", "Storage"],
  ["code", "Code"],
] as const;

const MethodsTab = later(() => import("../contract/MethodsTab.tsx").then((module) => module.MethodsTab));
const WriteTab = later(() => import("../contract/WriteTab.tsx").then((module) => module.WriteTab));
const StorageTab = later(() => import("../contract/StorageTab.tsx").then((module) => module.StorageTab));
const CodeTab = later(() => import("../contract/CodeTab.tsx").then((module) => module.CodeTab));
const QrCode = later(() => import("../contract/QrCode.tsx").then((module) => module.QrCode));

const loadFacts = () => import("./account/ContractFacts.tsx");

/** An account: its type, its assets, its history. */
export function Account({ params: [given = ""], query }: PageProps) {
  const address = parseAddress(given);
  if (address === undefined) return <Wrong given={given} />;
  return <Known address={address} tab={query.get("tab") ?? "actions"} />;
}

function Wrong({ given }: { readonly given: string }) {
  return (
    <>
      <h1>Account</h1>
      <p class="failure">
        This is not an address: <bdi>{given.slice(0, 100)}</bdi>. A letter may be missing or mistyped.
      </p>
    </>
  );
}

function Known({ address, tab }: { readonly address: string; readonly tab: string }) {
  const version = useNews(address);
  const ask = v3("accountStates", { address: [address], include_boc: false });
  const loaded = useAsk(ask, version);
  const askWallet = v3("walletStates", { address: [address] });
  const wallet = useAsk(askWallet, version);
  const account = loaded.kind === "ok" ? loaded.data.accounts[0] : undefined;
  const name = nameOf(address);
  const Facets = useModule(loadFacts);
  return (
    <>
      <h1>
        <AccountDot address={address} /> {name === undefined ? "Account" : <bdi>{name}</bdi>}
      </h1>
      <Panel
        title="Overview"
        from={[ask, askWallet]}
        check={
          loaded.kind === "ok"
            ? checkBy("getAddressInformation", { address }, ({ balance, state }) => [
                ["the balance", account?.balance ?? "0", balance],
                [
                  "the state",
                  account?.status === "active" || account?.status === "frozen" ? account.status : "uninitialized",
                  state,
                ],
              ])
            : undefined
        }
      >
        <Await of={loaded}>
          {() => (
            <Overview
              address={address}
              account={account}
              wallet={wallet.kind === "ok" ? wallet.data.wallets[0] : undefined}
            />
          )}
        </Await>
      </Panel>
      {Facets !== undefined && loaded.kind === "ok" && <Facets.ContractFacts address={address} version={version} />}
      <Tabs path={`/address/${friendlyOf(address)}`} current={tab} tabs={tabs} label="Views of the account" />
      {tab === "actions" && <ActionsTab address={address} version={version} />}
      {tab === "transactions" && <TransactionsTab address={address} version={version} />}
      {tab === "tokens" && <TokensTab address={address} version={version} />}
      {tab === "nfts" && <NftsTab address={address} version={version} />}
      {tab === "methods" && <MethodsTab address={address} account={account} from={ask} />}
      {tab === "write" && <WriteTab address={address} />}
      {tab === "storage" && <StorageTab address={address} version={version} />}
      {tab === "code" && <CodeTab address={address} version={version} />}
    </>
  );
}

interface WalletFacts {
  readonly is_wallet: boolean;
  readonly wallet_type?: string | undefined;
  readonly seqno?: number | undefined;
  readonly wallet_id?: number | undefined;
}

interface OverviewProps {
  readonly address: string;
  readonly account: AccountData | undefined;
  readonly wallet: WalletFacts | undefined;
}

function Overview({ address, account, wallet }: OverviewProps) {
  const friendly = friendlyOf(address);
  const { domain, interfaces, given } = findKnown(address);
  const status = account?.status ?? "nonexist";
  return (
    <Facts
      facts={[
        [
          "Balance",
          <strong key="balance" class="large">
            <Coins value={account?.balance ?? "0"} />
          </strong>,
        ],
        [
          "State",
          <Badge key="state" tone={status === "active" ? "good" : status === "frozen" ? "bad" : "plain"}>
            {nameStatus(status)}
          </Badge>,
        ],
        interfaces.length > 0 && [
          "Kind",
          interfaces.map(nameInterface).join(", "),
          "What the contract is, by its code and methods",
        ],
        ["Address", <AddressText key="address" address={friendly} />],
        ["Raw address", copyable(address, "raw address")],
        domain !== undefined && [
          "Domain",
          <a key="domain" href={href(`/domain/${encodeURIComponent(domain)}`)}>
            <bdi>{domain}</bdi>
          </a>,
        ],
        given !== undefined && ["On this network", given],
        wallet?.is_wallet === true && [
          "Wallet",
          `${wallet.wallet_type ?? ""}${wallet.seqno === undefined ? "" : `, seqno ${wallet.seqno}`}${wallet.wallet_id === undefined ? "" : `, wallet id ${wallet.wallet_id}`}`,
        ],
        interfaces.includes("jetton_master") && [
          "Jetton",
          <a key="jetton" href={href(`/jetton/${friendly}`)}>
            Supply, holders and transfers
          </a>,
        ],
        (interfaces.includes("nft_collection") || interfaces.includes("nft_item")) && [
          "NFT",
          <a key="nft" href={href(`/nft/${friendly}`)}>
            Items, owner and transfers
          </a>,
        ],
        account?.code_hash !== undefined && [
          "Code hash",
          <HashText key="code" hash={account.code_hash} isFull />,
          "Contracts with the same hash run the same code",
        ],
        ["Your label", <Label key="label" address={address} />, "Stored in this browser only"],
      ]}
    />
  );
}

/** An address with a button that shows it as a QR code. */
function AddressText({ address }: { readonly address: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      {copyable(address, "address")}{" "}
      <button type="button" class="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        QR code
      </button>
      {isShown && <QrCode text={`ton://transfer/${address}`} />}
    </>
  );
}

function copyable(text: string, what: string) {
  return (
    <span key={what} class="hash">
      <code>{text}</code>
      <Copy text={text} what={what} />
    </span>
  );
}

/** A label that the user gives to the address. */
function Label({ address }: { readonly address: string }) {
  const [value, setValue] = useState(labels()[address] ?? "");
  return (
    <input
      class="label"
      value={value}
      maxLength={60}
      placeholder="none"
      aria-label="Your label for this address"
      onInput={({ currentTarget }) => {
        setValue(currentTarget.value);
        setLabel(address, currentTarget.value);
      }}
    />
  );
}
