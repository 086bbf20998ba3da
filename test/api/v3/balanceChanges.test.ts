import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Address } from "../../../src/model/Address.ts";
import { type DemoStage, type Json, type JsonList, listOf, openDemoStage } from "../../kit/api/demoStage.ts";
import { jettonTransferBody } from "../../kit/localnet/jettonBody.ts";

const coin = 1_000_000_000n;

let stage: DemoStage;

beforeAll(async () => {
  stage = await openDemoStage();
});

afterAll(() => stage?.close());

const raw = (address: Address) => address.toUpperCase();

async function actionsOf(type: string): Promise<JsonList> {
  return listOf(await stage.ask("actions", { action_type: type, sort: "asc", limit: "100" }), "actions");
}

async function transactionsOf(traceId: unknown): Promise<JsonList> {
  const [trace] = listOf(await stage.ask("traces", { trace_id: String(traceId) }), "traces");
  return Object.values(Object(trace).transactions as Record<string, Json>);
}

type Sums = Record<string, number>;

function sum(transactions: JsonList, amountOf: (transaction: Json) => bigint): Sums {
  const sums = new Map<string, bigint>();
  for (const each of transactions)
    sums.set(String(each.account), (sums.get(String(each.account)) ?? 0n) + amountOf(each));
  return Object.fromEntries([...sums].map(([account, amount]) => [account, Number(amount)]));
}

const big = (value: unknown) => BigInt(String(value ?? 0));

/** Coin changes computed from messages and fees of the transactions. */
function coinsOf(transactions: JsonList) {
  const out = (each: Json) => each.out_msgs as JsonList;
  const fees = (each: Json) => out(each).reduce((all, message) => all + big(message.fwd_fee), big(each.total_fees));
  const sent = (each: Json) => out(each).reduce((all, message) => all + big(message.value), 0n);
  return {
    changes: sum(transactions, (each) => big(Object(each.in_msg).value) - sent(each) - fees(each)),
    fees: sum(transactions, fees),
  };
}

/** The expected answer: the given jetton changes, everything else computed from the transactions. */
async function expected(traceId: unknown, jettons: Readonly<Record<Address, bigint>>) {
  const minter = raw(stage.demo.jetton.minter);
  const reported = Object.entries(jettons).map(([owner, amount]) => [
    raw(owner as Address),
    { [minter]: String(amount * coin) },
  ]);
  return { ...coinsOf(await transactionsOf(traceId)), jettons: Object.fromEntries(reported) };
}

describe("balance changes of accounts", () => {
  it("of a mint are what the receiver got, and of two mints in one trace what each got", async () => {
    const { alice, bob, carol } = stage.demo.people;
    const [first, second, third, ...others] = await actionsOf("jetton_mint");
    expect(others).toEqual([]);
    expect(second?.trace_id).toBe(third?.trace_id);
    const ask = (trace: unknown) => stage.ask("balanceChanges", { trace_id: String(trace) });
    expect(await ask(first?.trace_id)).toEqual(await expected(first?.trace_id, { [alice.address]: 1_000_000n }));
    expect(await ask(second?.trace_id)).toEqual(
      await expected(second?.trace_id, { [bob.address]: 50_000n, [carol.address]: 20_000n }),
    );
    const byAction = await Promise.all(
      [second, third].map(
        async (mint) => Object(await stage.ask("balanceChanges", { action_id: String(mint?.action_id) })).jettons,
      ),
    );
    const minter = raw(stage.demo.jetton.minter);
    expect(byAction).toEqual(
      expect.arrayContaining([
        { [raw(bob.address)]: { [minter]: String(50_000n * coin) } },
        { [raw(carol.address)]: { [minter]: String(20_000n * coin) } },
      ]),
    );
  });

  it("of a transfer are what one gave and the other got, and of a burn what was burned", async () => {
    const { alice, bob } = stage.demo.people;
    const transfers = await actionsOf("jetton_transfer");
    const tea = transfers.find(({ details }) => Object(details).comment === "for the tea");
    const asked = { trace_id: String(tea?.trace_id) };
    const whole = await expected(tea?.trace_id, { [alice.address]: -250n, [bob.address]: 250n });
    expect(await stage.ask("balanceChanges", asked)).toEqual(whole);
    expect(Object(await stage.ask("balanceChanges", { action_id: String(tea?.action_id) })).jettons).toEqual(
      whole.jettons,
    );
    const [burn] = await actionsOf("jetton_burn");
    expect(await stage.ask("balanceChanges", { trace_id: String(burn?.trace_id) })).toEqual(
      await expected(burn?.trace_id, { [bob.address]: -500n }),
    );
  });

  it("of a failed transfer are only fees", async () => {
    const { dave, bob } = stage.demo.people;
    const { chain, demo } = stage;
    const body = jettonTransferBody({ to: bob.address, amount: 10n ** 18n, comment: "too much" });
    const to = demo.jetton.walletOf(dave.address);
    await chain.send(dave, { to, amount: coin / 10n, bounce: true, body });
    await chain.rounds(3);
    await stage.index();
    const [trace] = listOf(await stage.ask("traces", { account: dave.address, limit: "1" }), "traces");
    const answer = await stage.ask("balanceChanges", { trace_id: String(trace?.trace_id) });
    expect(answer).toEqual(await expected(trace?.trace_id, {}));
    const { changes, fees } = Object(answer) as { readonly changes: Sums; readonly fees: Sums };
    // The value that the jetton wallet did not keep came back: in total only fees were lost.
    const all = (sums: Sums) => Object.values(sums).reduce((one, other) => one + other, 0);
    expect(all(changes)).toBe(-all(fees));
  });

  it("add up over all traces to the balance of every wallet", async () => {
    const traces = listOf(await stage.ask("traces", { limit: "1000" }), "traces");
    const held = new Map<string, bigint>();
    for (const { trace_id: id } of traces) {
      const { jettons, changes, fees } = Object(await stage.ask("balanceChanges", { trace_id: String(id) }));
      expect({ changes, fees }).toEqual(coinsOf(await transactionsOf(id)));
      for (const [owner, own] of Object.entries<Record<string, string>>(jettons)) {
        for (const [jetton, amount] of Object.entries(own))
          held.set(`${owner} ${jetton}`, (held.get(`${owner} ${jetton}`) ?? 0n) + BigInt(amount));
      }
    }
    const wallets = listOf(await stage.ask("jetton/wallets", { limit: "1000" }), "jetton_wallets");
    const balances = wallets.map(
      ({ owner, jetton, balance }) => [`${owner} ${jetton}`, BigInt(String(balance))] as const,
    );
    expect(balances.length).toBeGreaterThan(3);
    expect(held).toEqual(new Map(balances.filter(([, balance]) => balance !== 0n)));
  });
});
