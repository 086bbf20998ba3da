import { type ComparedCase, compareReversed, type Difference, type TraceCase } from "./compareCase.ts";

/** A deliberate difference of the contract (v3-actions.md §6) from the public service. No rule names a single case. */
interface ContractChoice {
  readonly name: string;
  /** The field of an action that differs. */
  readonly field?: RegExp;
  /** Whether the contract asks for this difference. */
  readonly accepts?: (difference: Difference) => boolean;
  /**
   * Matches an action of the contract that the service does not report; it also changes which messages other actions
   * cover.
   */
  readonly extra?: (difference: Difference) => boolean;
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}

/** The service leaves out the value. */
function isFilled({ expected, found }: Difference): boolean {
  return isAbsent(expected) && !isAbsent(found);
}

function detail({ found }: Difference, name: string): unknown {
  return (found as Readonly<Record<string, unknown>>)[name];
}

const choices: readonly ContractChoice[] = [
  {
    name: "tokens_burnt of a liquid staking request is shown",
    field: /^stake_withdrawal_request\.details\.tokens_burnt$/,
    accepts: isFilled,
  },
  {
    name: "marketplace_address of a listing is filled",
    field: /^nft_put_on_(?:sale|auction)\.details\.marketplace_address$/,
    accepts: isFilled,
  },
  {
    name: "vesting_send_message fails when the message was dropped (v3-additions.md §10.7)",
    field: /^vesting_send_message\.success$/,
    accepts: ({ expected, found }) => expected === true && found === false,
  },
  { name: "comment of auction_outbid is filled", field: /^auction_outbid\.details\.comment$/, accepts: isFilled },
  {
    name: "assets of coffee_create_pool_creator are the provided one and those of the pool",
    field: /^coffee_create_pool_creator\.details\.(?:provided_asset|asset_1|asset_2)$/,
  },
  {
    name: "pool_creator_contract of coffee_create_pool is filled",
    field: /^coffee_create_pool\.details\.pool_creator_contract$/,
    accepts: isFilled,
  },
  { name: "account of tick_tock is filled", field: /^tick_tock\.details\.account$/, accepts: isFilled },
  {
    name: "text of change_dns is in dns_text",
    field: /^change_dns\.details\.value\.(?:dns_text|dns_storage_address)$/,
    accepts: ({ path, expected, found }) => (path.endsWith("dns_text") ? isAbsent(expected) : isAbsent(found)),
  },
  {
    name: "multisig_create_order reads the order itself",
    field: /^multisig_create_order\.details\.(?:order_boc|is_signed_by_creator)$/,
    extra: ({ path }) => path === "extra multisig_create_order",
  },
  {
    name: "pubkey of tgbtc_new_key has its full width",
    field: /^tgbtc_new_key(?:_fallback)?\.details\.pubkey$/,
    accepts: ({ expected, found }) => found === String(expected).padStart(64, "0"),
  },
  {
    name: "the end of an offer of an item without collection is an action",
    extra: (difference) =>
      /^extra nft_(?:cancel_sale|cancel_auction|finish_auction)$/.test(difference.path) &&
      detail(difference, "nft_collection") === null,
  },
  {
    name: "a liquid staking deposit that no mint follows is a failed stake_deposit",
    extra: (difference) =>
      difference.path === "extra stake_deposit" &&
      detail(difference, "provider") === "liquid_staking" &&
      detail(difference, "tokens_minted") === null,
  },
  {
    name: "change_dns with a text of several chunks is an action",
    extra: (difference) =>
      difference.path === "extra change_dns" &&
      (detail(difference, "value") as { readonly sum_type?: unknown }).sum_type === "DNSText",
  },
];

/**
 * Both sides of a ston.fi deposit in one message: the service keeps siblings in an unordered set, so the side it takes
 * as the second one is random. Most such cases differed between runs and are marked as unstable.
 */
const unordered = "the order of two deposits in one message is random";

function isUnordered(recorded: TraceCase, differences: readonly Difference[]): boolean {
  const isDeposit = ({ path }: Difference): boolean => /^(?:(?:extra )?dex_deposit_liquidity|returned)/.test(path);
  if (differences.length === 0 || !differences.every(isDeposit)) return false;
  return explain(compareReversed(recorded).differences).unexplained.length === 0;
}

export interface ExplainedCase {
  /** Names of the contract's choices that explain differences. */
  readonly choices: ReadonlySet<string>;
  readonly unexplained: readonly Difference[];
}

/** Separates the explained differences of a case from the others. */
export function explainCase(recorded: TraceCase, { differences }: ComparedCase): ExplainedCase {
  const explained = explain(differences);
  if (!isUnordered(recorded, explained.unexplained)) return explained;
  return { choices: new Set([...explained.choices, unordered]), unexplained: [] };
}

function explain(differences: readonly Difference[]): ExplainedCase {
  const names = new Set<string>();
  const covered = new Set<string>();
  let left = differences.filter((difference) => {
    const choice = choices.find(({ extra }) => extra?.(difference));
    if (choice === undefined) return true;
    names.add(choice.name);
    for (const hash of difference.transactions) covered.add(hash);
    return false;
  });
  left = left.filter((difference) => {
    const choice = choices.find(
      ({ field, accepts = () => true }) => field?.test(difference.path) && accepts(difference),
    );
    if (choice === undefined) return true;
    names.add(choice.name);
    return false;
  });
  return { choices: names, unexplained: left.filter((difference) => !isCovered(difference, covered)) };
}

/** One more action takes over the messages it covers, so other actions change. */
function isCovered({ path, transactions }: Difference, covered: ReadonlySet<string>): boolean {
  if (covered.size === 0) return false;
  if (path === "returned") return true;
  return /^(?:missing|extra) /.test(path) && transactions.every((hash) => covered.has(hash));
}
