import type { Cell } from "../../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { crc32 } from "../../../lib/crc.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type Address, plainAddress } from "../../../model/Address.ts";
import { formatCoins } from "../../../model/coins.ts";
import { anyAddress } from "../../../model/messageAddress.ts";
import { friendly } from "../../v2/shapes/ids.ts";
import { readComment, type WalletView } from "./walletView.ts";

/** The operation of a body. */
interface Operation {
  readonly type: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly tokens?: bigint;
  /** The other account; its absence in a notification means an airdrop. */
  readonly other?: Address | undefined;
  readonly comment?: string;
}

type Read = (body: Slice) => Operation;

const opcode = (text: string) => crc32(new TextEncoder().encode(text));

const operations: ReadonlyMap<number, Read> = new Map<number, Read>([
  [0xd53276db, () => ({ type: "jetton::excesses" })],
  [0x0f8a7ea5, readTransfer],
  [0x7362d09c, readNotification],
  [opcode("op::stake_deposit"), () => ({ type: "deposit" })],
  [opcode("op::stake_deposit::response"), () => ({ type: "deposit::ok" })],
  [opcode("op::stake_withdraw"), readWithdrawal],
  [opcode("op::stake_withdraw::delayed"), () => ({ type: "withdraw::delayed" })],
  [opcode("op::stake_withdraw::response"), () => ({ type: "withdraw::ok" })],
]);

// transfer#0f8a7ea5 query_id:uint64 amount:Coins destination:MsgAddress response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) forward_ton_amount:Coins forward_payload:(Either Cell ^Cell)
function readTransfer(body: Slice): Operation {
  const tokens = body.skip(64).loadCoins();
  const other = loadAccount(body);
  loadAccount(body);
  body.loadMaybeRef();
  body.loadCoins();
  return { type: "jetton::transfer", tokens, other, ...forwardComment(body) };
}

// transfer_notification#7362d09c query_id:uint64 amount:Coins sender:MsgAddress forward_payload:(Either Cell ^Cell)
function readNotification(body: Slice): Operation {
  const tokens = body.skip(64).loadCoins();
  const other = loadAccount(body);
  const type = other === undefined ? "airdrop" : "jetton::transfer_notification";
  return { type, tokens, other, ...forwardComment(body) };
}

// stake_withdraw query_id:uint64 gas_limit:Coins stake:Coins
function readWithdrawal(body: Slice): Operation {
  body.skip(64).loadCoins();
  const coins = body.loadCoins();
  return coins === 0n ? { type: "withdraw::all" } : { type: "withdraw", options: { coins: formatCoins(coins) } };
}

function loadAccount(slice: Slice): Address | undefined {
  const found = anyAddress.load(slice);
  return found === undefined || (typeof found === "object" && found.kind === "external")
    ? undefined
    : plainAddress(found);
}

function forwardComment(body: Slice): { readonly comment?: string } {
  if (body.remainingBits === 0) return {};
  const payload = body.loadBit() ? sliceOf(body.loadRef()) : body;
  if (payload.remainingBits < 32 || payload.loadUint(32) !== 0) return {};
  const comment = readComment(payload);
  return comment === "" ? {} : { comment };
}

function findOperation(payload: Cell | undefined): Operation | undefined {
  if (payload === undefined) return undefined;
  const body = sliceOf(payload);
  const read = operations.get(body.loadUint(32));
  try {
    return read?.(body);
  } catch (error) {
    // A body that begins like an operation but has another layout is none.
    if (!isCoded(error)) throw error;
    return undefined;
  }
}

/** The transfers of a transaction, as a wallet lists them. */
export function describeOperation(address: Address, { amount, payload, body }: WalletView): object {
  const operation = findOperation(payload);
  const comment = operation?.comment ?? (body?.type === "comment" ? body.comment : undefined);
  const coins = { kind: "ton", amount: amount.toString() };
  return {
    address: friendly.encode(operation?.other ?? address),
    ...(comment !== undefined && { comment }),
    items: operation?.tokens === undefined ? [coins] : [{ kind: "token", amount: operation.tokens.toString() }, coins],
    ...(operation && { op: { type: operation.type, ...(operation.options && { options: operation.options }) } }),
  };
}
