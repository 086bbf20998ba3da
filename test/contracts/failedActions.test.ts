import { expect, it } from "vitest";
import { makeFacts } from "../../kit/contracts/corpusFacts.ts";
import { type Builder, beginCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { classify } from "../../src/contracts/classify.ts";
import type { Facts } from "../../src/contracts/engine/Facts.ts";
import { storeAddress } from "../../src/contracts/kit/knownAnswer.ts";
import { parseHash } from "../../src/model/Hash.ts";
import type { Trace } from "../../src/model/Trace.ts";
import { account, comment, makeTestTrace, query, type Step } from "../kit/model/testTrace.ts";

const [wallet, owner, contract, proxy, pool] = ["wallet", "owner", "contract", "proxy", "pool"].map(account) as [
  never,
  never,
  never,
  never,
  never,
];

/** A body with a query id and further fields. */
function body(opcode: number, store: (builder: Builder) => Builder): Cell {
  return store(beginCell().storeUint(opcode, 32).storeBigUint(7n, 64)).cell();
}

function withOwner(builder: Builder): Builder {
  return storeAddress(builder, owner);
}

const excess: Step = { to: owner, body: query(0x2565934c) };
const payout: Step = { to: owner, body: query(0xc59a7cd3) };
const failedPayout: Step = { ...payout, aborted: true };
const toProxy = (causes: readonly Step[] = []): Step => ({ to: proxy, body: query(0x65448ff4), causes });
const tokens = (builder: Builder) => withOwner(builder.storeBigUint(5n, 64));

/** First messages of Cocoon actions whose transaction is aborted, with the messages they cause. */
const cocoonStarts: readonly (readonly [type: string, start: Cell, causes: readonly Step[]])[] = [
  ["cocoon_proxy_charge", body(0xbb63ff93, tokens), [excess, toProxy()]],
  ["cocoon_client_top_up", body(0xf172e6c2, (b) => withOwner(b.storeCoins(5n))), [toProxy([excess])]],
  ["cocoon_register_proxy", query(0x927c7cb5), [excess]],
  ["cocoon_unregister_proxy", body(0x6d49eaf2, (b) => b.storeUint(1, 32)), [excess]],
  ["cocoon_client_register", body(0xc45f9f3b, tokens), [excess, toProxy()]],
  [
    "cocoon_client_change_secret_hash",
    body(0xa9357034, (b) => withOwner(b.storeBigUint(1n, 256))),
    [excess, toProxy()],
  ],
  ["cocoon_client_request_refund", body(0xfafa6cc1, withOwner), [excess, toProxy()]],
  ["cocoon_client_withdraw", body(0xda068e78, withOwner), [toProxy([payout, excess])]],
];

const workerRequest = body(0x4d725d2c, (b) => withOwner(b).storeUint(0, 2).storeBigUint(5n, 64).storeBit(false));
/** A version and no upgrade, then the command to the user's contract. */
const supplyUser = beginCell()
  .storeCoins(1n)
  .storeBit(false)
  .storeUint(0, 2)
  .storeUint(0x11, 32)
  .storeBigUint(7n, 64)
  .storeBigUint(1n, 256)
  .storeBigUint(5n, 64)
  .cell();
const supply = body(0x1, (b) => withOwner(b.storeUint(0, 2).storeBigUint(5n, 64)));

const ticks = (builder: Builder) => builder.storeInt(-1, 24).storeInt(1, 24);
const fees = beginCell().storeBigUint(0n, 256).storeBigUint(0n, 256).cell();
const startBurn = body(0x530b5f2c, (b) => ticks(b.storeBigUint(3n, 64).storeBigUint(9n, 128)));
const positionBurn = body(0x46ca335a, (b) => ticks(withOwner(b).storeBigUint(9n, 128)).storeRef(fees));
const twoAmounts = storeAddress(storeAddress(beginCell().storeCoins(1n), contract).storeCoins(2n), proxy).cell();
/** A router answer that is neither of the two successful ones. */
const refusedPayTo = body(0xa1daa96d, (b) =>
  withOwner(withOwner(b)).storeUint(77, 32).storeBigUint(1n, 64).storeBit(true).storeRef(twoAmounts),
);

const cases: readonly { readonly type: string; readonly steps: readonly Step[]; readonly facts?: Facts }[] = [
  ...cocoonStarts.map(([type, start, causes]) => ({
    type,
    steps: [{ to: contract, body: start, aborted: true, causes }],
  })),
  {
    type: "cocoon_worker_payout",
    steps: [
      {
        to: contract,
        body: body(0xa040ad28, tokens),
        causes: [{ to: proxy, body: workerRequest, causes: [failedPayout, excess] }],
      },
    ],
  },
  {
    type: "cocoon_grant_refund",
    steps: [{ to: contract, body: body(0xefd711e1, tokens), causes: [toProxy([failedPayout, excess])] }],
  },
  {
    type: "dex_withdraw_liquidity",
    steps: [
      {
        to: pool,
        body: startBurn,
        causes: [
          {
            to: contract,
            body: positionBurn,
            causes: [{ to: pool, body: query(0xd73ac09d), causes: [{ to: proxy, body: refusedPayTo }] }],
          },
        ],
      },
    ],
  },
  {
    type: "evaa_supply",
    steps: [
      {
        to: contract,
        body: supply,
        causes: [{ to: pool, body: supplyUser, causes: [{ to: contract, body: query(0x11f) }] }],
      },
    ],
  },
  {
    type: "nft_update_sale",
    steps: [
      {
        to: contract,
        body: body(0x6c6c2080, (b) => b.storeCoins(3n).storeCoins(2n).storeCoins(1n)),
        aborted: true,
      },
    ],
    facts: makeFacts({
      nftSales: new Map([[contract, { nft: pool, nftOwner: owner, marketplace: proxy, fullPrice: 3n }]]),
    }),
  },
  {
    type: "subscribe",
    steps: [
      {
        to: contract,
        body: body(0x706c7567, (b) => b.storeCoins(5n)),
        aborted: true,
        causes: [{ to: pool, body: query(0xf06c7567), causes: [{ to: owner, body: query(0x73756273) }] }],
      },
    ],
  },
  {
    type: "stake_withdrawal",
    steps: [{ to: pool, body: comment("w"), value: 1n, aborted: true, causes: [{ to: wallet }, { to: wallet }] }],
    facts: makeFacts({
      codeHashes: new Map([[pool, parseHash("mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=")]]),
    }),
  },
];

function classifyTypes(trace: Trace, facts: Facts): readonly (readonly [type: string, success: boolean])[] {
  return classify(trace, facts).actions.map(({ type, success }) => [type, success]);
}

it.each(cases)("marks $type as failed if its deciding message failed", ({ type, steps, facts = makeFacts({}) }) => {
  const found = classifyTypes(makeTestTrace(wallet, steps), facts);
  expect(found.filter(([each]) => each === type)).toEqual([[type, false]]);
});

it("marks tick_tock as failed if its transaction failed", () => {
  const trace = makeTestTrace(wallet, [{ to: owner }]);
  const transactions = trace.transactions.map((each, index) =>
    index === 0 ? { ...each, isTickTock: true, inMessage: undefined, aborted: true } : each,
  );
  expect(classifyTypes({ ...trace, transactions }, makeFacts({}))).toEqual([
    ["tick_tock", false],
    ["ton_transfer", true],
  ]);
});
