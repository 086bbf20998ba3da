/** Something that a contributor adds: the files that it touches, with what each gets. */
export interface Addition {
  readonly what: string;
  /** A new file gets its whole text. */
  readonly edits: Readonly<Record<string, Edit>>;
  /** Its case, where the compiler asks for one. */
  readonly cases?: Readonly<Record<string, Edit>>;
}

/** The text of a file after the addition. */
export type Edit = (text: string) => string;

const append =
  (more: string, imports = ""): Edit =>
  (text) =>
    `${imports}${text}${more}`;
const whole =
  (text: string): Edit =>
  () =>
    text;
const before =
  (mark: string, more: string): Edit =>
  (text) =>
    text.includes(mark) ? text.replace(mark, () => `${more}${mark}`) : text;

const endOfCases = "} satisfies Readonly<Record<string, readonly";

const madeUpTable = `
export const madeUpEvents = indexTable({
  name: "made_up_events",
  key: ["txHash"],
  source: partOf("transaction", "txHash"),
  retention: droppedBy("mcSeqno"),
  placement: distributedBy("txHash"),
  columns: { txHash: hash, mcSeqno: int4 },
});
`;

/** One of each kind of addition, as small as the kit allows. */
export const additions: readonly Addition[] = [
  {
    what: "v2 endpoint",
    edits: {
      "src/api/v2/detect.ts": append(
        `
export const madeUp = endpoint({
  name: "madeUp",
  proof: argumentsProof,
  tag: "utils",
  summary: "Something made up.",
  isExtra: true,
  args: { address: arg("Address of the account.", addressArg(), "wallet") },
  result: hash64,
  run: (_services, { address: { address } }) => accountOf(address),
});
`,
        `import { accountOf } from "../../model/Address.ts";\nimport { hash64 } from "./shapes/scalars.ts";\n`,
      ),
    },
    cases: { "test/api/v2/cases/utils.ts": before(endOfCases, `  madeUp: [gives("it", {}, hash)],\n`) },
  },
  {
    what: "v3 endpoint",
    edits: {
      "src/history/queries/madeUp.ts": whole(`import type { Address } from "../../model/Address.ts";
import type { HistorySnapshot } from "./kit/History.ts";

export interface MadeUpRow {
  readonly account: Address;
  readonly seqno: number;
}

export async function findMadeUp(_reading: HistorySnapshot, account: Address): Promise<MadeUpRow> {
  return { account, seqno: 1 };
}
`),
      "src/api/v3/shapes/madeUp.ts": whole(`import type { MadeUpRow } from "../../../history/queries/madeUp.ts";
import { int, shape } from "../../../lib/kit/shape.ts";
import { address, named } from "./scalars.ts";

export const madeUpShape = named(
  "MadeUp",
  shape<MadeUpRow>()({
    account: address("Address of the account, in raw form.", (row) => row.account),
    seqno: int("Sequence number of the block.", (row) => row.seqno),
  }),
);
`),
      "src/api/v3/stats.ts": append(
        `
export const madeUp = indexEndpoint({
  name: "madeUp",
  proof: noProof("the index has it"),
  tag: "stats",
  scope: within([by.account("address")]),
  summary: "Something made up.",
  isExtra: true,
  args: { address: arg("Address of the account.", needed(addressArg), "wallet") },
  result: madeUpShape,
  run: onHistory(({ reading }, { address }) => {
    if (address === undefined) throw refusal("addressNeeded");
    return findMadeUp(reading, address);
  }),
});
`,
        `import { findMadeUp } from "../../history/queries/madeUp.ts";
import { arg } from "../declare/argument.ts";
import { addressArg, needed } from "./args/args.ts";
import { refusal } from "./args/refusals.ts";
import { by, within } from "./scope/scopeRule.ts";
import { madeUpShape } from "./shapes/madeUp.ts";
`,
      ),
    },
    cases: {
      "test/api/v3/cases/accounts.ts": before(
        endOfCases,
        `  madeUp: [refuses("no address", {}, 401, "address is required")],\n`,
      ),
    },
  },
  {
    what: "action",
    edits: {
      "src/contracts/families/subscriptions/actions.ts": append(`
const madeUp = kind<Subscription>({
  type: "made_up",
  parties: partiesOf,
  details: (f) => ({ subscriber: f.address("Address of the account that pays.", (s) => s.subscriber) }),
});

const madeUpCall = call(subscriptionPayment);

export const madeUpMatcher = matcher({
  name: "made up",
  pattern: madeUpCall,
  build: (match) => {
    const node = match.get(madeUpCall);
    return made(madeUp, {
      subscriber: sourceOf(node),
      beneficiary: undefined,
      subscription: destinationOf(node),
      amount: undefined,
    });
  },
});
`),
      "src/contracts/families/subscriptions/family.ts": (text) =>
        `import { madeUpMatcher } from "./actions.ts";\n${text}`
          .replace("  matchers: {", "  matchers: { madeUp: madeUpMatcher,")
          .replace(`v1: ["subscribe"`, `v1: ["made_up", "subscribe"`),
      "src/contracts/registry.ts": before("  nft.matchers.mint,\n", "  subscriptions.matchers.madeUp,\n"),
    },
  },
  {
    what: "lite-server query",
    edits: {
      "src/lite/tl/liteRecords.ts": append(
        `\nexport const madeUp = record("example.madeUp now:int = example.MadeUp", { now: int });\n`,
      ),
      "src/lite/tl/liteQueries.ts": append(
        `\nexport const getMadeUp = query("example.getMadeUp = example.MadeUp", {}, madeUp, needsNothing);\n`,
        `import { madeUp } from "./liteRecords.ts";\n`,
      ),
      "src/lite/queries/madeUp.ts":
        whole(`import { ask, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getMadeUp } from "../tl/liteQueries.ts";

export async function fetchMadeUp(server: LiteServer, options: TypedAskOptions): Promise<number> {
  return (await ask(server, getMadeUp, {}, options)).now;
}
`),
    },
  },
  {
    what: "indexed entity",
    edits: {
      "src/history/entities/madeUps.ts": whole(`import { address } from "../store/schema/columns.ts";
import { keepExisting } from "../store/schema/conflictRule.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";

const madeUps = table("made_ups", { account: address, other: address });

export const madeUpEntity = indexedEntity({
  table: madeUps,
  account: "account",
  key: ["account", "other"],
  conflict: keepExisting,
  rows: {
    vesting: ({ whitelist }, place) => whitelist.map((other) => ({ account: place.address, other })),
  },
});
`),
      "src/history/entities/indexedEntities.ts": (text) =>
        `import { madeUpEntity } from "./madeUps.ts";\n${text.replace("  dexPools: dexPoolEntity,\n", "  dexPools: dexPoolEntity,\n  madeUps: madeUpEntity,\n")}`,
      "src/history/store/schema/migrations/9999.sql": whole(
        "create table made_ups (account bytea not null, other bytea not null, primary key (account, other));\n",
      ),
    },
  },
  {
    what: "table",
    edits: {
      "src/history/store/schema/poolTables.ts": append(madeUpTable),
      "src/history/ingest/steps/makeBatchRows.ts": (text) =>
        text.replace("    elections,\n", "    elections,\n    madeUpEvents: [],\n"),
      "src/history/store/schema/migrations/9998.sql": whole(
        "create table made_up_events (tx_hash bytea primary key, mc_seqno int not null);\n",
      ),
    },
  },
];

/** Parts that are left out, each with what the compiler says then. */
export const omissions: readonly { readonly what: string; readonly file: string; readonly edit: Edit }[] = [
  {
    what: "the case of a v2 endpoint",
    file: "test/api/v2/cases.ts",
    edit: (text) => text.replace("  ...utilsCases,\n", ""),
  },
  {
    what: "the case of a v3 endpoint",
    file: "test/api/v3/cases.ts",
    edit: (text) => text.replace("  ...nftCases,\n", ""),
  },
  {
    what: "what a field means",
    file: "src/api/v3/shapes/dns.ts",
    edit: (text) => text.replace(/domain: text\(\s*"[^"]*",\s*/, "domain: text("),
  },
  {
    what: "what a detail of an action means",
    file: "src/contracts/families/vesting/actions.ts",
    edit: (text) => text.replace(/f\.address\(\s*"[^"]*",\s*/, "f.address("),
  },
  {
    what: "what an argument means",
    file: "src/api/v2/replay.ts",
    edit: (text) =>
      text.replace(/address: arg\(\s*"[^"]*",\s*addressArg\(\),\s*"account",?\s*\)/, "address: addressArg()"),
  },
  {
    what: "the sample of a required argument",
    file: "src/api/v2/config.ts",
    edit: (text) => `${text}${requiredWithoutSample}`,
  },
  ...Object.entries({ key: "pool", source: "token", retention: "validator", placement: "service" }).map(
    ([rule, tables]) => ({
      what: `the ${rule} of a table`,
      file: `src/history/store/schema/${tables}Tables.ts`,
      edit: (text: string) => text.replace(new RegExp(`^ {2}${rule}: .*\\n`, "m"), ""),
    }),
  ),
  {
    what: "the rows of a table",
    file: "src/history/ingest/steps/makeBatchRows.ts",
    edit: (text) => text.replace("    validatorEvents: makeStakeEvents(decoded),\n", ""),
  },
  {
    what: "the scope rule of a v3 endpoint",
    file: "src/api/v3/vesting.ts",
    edit: (text) => text.replace(/ {2}scope: within\([^\n]*\),\n/, ""),
  },
];

const requiredWithoutSample = `
export const unsampled = endpoint({
  name: "getLibraries",
  tag: "configuration",
  summary: "Something made up.",
  args: { hash: arg("Hash of a library.", hashArg()) },
  result: libraryResult,
  run: onChain((chain, { hash }) => listLibraries(chain, [hash])),
});
`;
