import type { disassembleCode, openChecks } from "../../src/api/client/checkHere.ts";
import type { Client } from "../../src/api/client/client.ts";
import type { V3Client } from "../../src/api/client/v3Client.ts";

export type { ProofReport } from "../../src/api/client/verify/TrustOptions.ts";
export type { PageSamples, Sample, SampleName } from "../../src/api/declare/argument.ts";

/** Opens the checks of proofs; the build puts them beside the explorer. */
export type OpenChecks = typeof openChecks;
/** Lists the instructions of a code; it comes with the checks. */
export type DisassembleCode = typeof disassembleCode;
export type PageChecks = Awaited<ReturnType<OpenChecks>>;

/** Names of the v3 operations, as declared by the server. */
export type V3Name = Exclude<keyof V3Client, "contract">;
export type V3Args<Name extends V3Name> = NonNullable<Parameters<V3Client[Name]>[0]>;
export type V3Answer<Name extends V3Name> = Awaited<ReturnType<V3Client[Name]>>;

/** Names of the v2 operations, as declared by the server. */
export type V2Name = Exclude<keyof Client, "contract">;
export type V2Args<Name extends V2Name> = NonNullable<Parameters<Client[Name]>[0]>;
export type V2Answer<Name extends V2Name> = Awaited<ReturnType<Client[Name]>>;

export type Block = V3Answer<"blocks">["blocks"][number];
export type BlockId = Block["masterchain_block_ref"];
export type Transaction = V3Answer<"transactions">["transactions"][number];
export type Message = NonNullable<Transaction["in_msg"]>;
export type Description = Transaction["description"];
export type AccountState = Transaction["account_state_before"];
export type Account = V3Answer<"accountStates">["accounts"][number];
export type Trace = V3Answer<"traces">["traces"][number];
export type TraceNode = NonNullable<Trace["trace"]>;
export type Action = V3Answer<"actions">["actions"][number];
export type JettonWallet = V3Answer<"jetton/wallets">["jetton_wallets"][number];
export type JettonMaster = V3Answer<"jetton/masters">["jetton_masters"][number];
export type NftItem = V3Answer<"nft/items">["nft_items"][number];
export type AddressBook = V3Answer<"actions">["address_book"];
export type Metadata = V3Answer<"actions">["metadata"];
export type DomainRecord = V3Answer<"dns/records">["records"][number];
