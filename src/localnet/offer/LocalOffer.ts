import type { Address } from "../../model/Address.ts";
import type { Demo } from "../demo/Demo.ts";
import type { Conditions } from "../network/ConditionedServer.ts";
import type { Faucet } from "../network/faucet.ts";
import type { Localnet } from "../network/Localnet.ts";
import type { Snapshot, SnapshotFolder } from "../store/SnapshotFolder.ts";
import type { WalletVersion } from "../wallets/Wallet.ts";
import type { SignedTransfer, TransferRequest } from "./signOffered.ts";

/** A funded wallet, with its keys. */
export interface OfferedWallet {
  readonly name: string;
  readonly address: Address;
  readonly version: WalletVersion;
  readonly words: readonly string[];
  /** What a library needs besides words and version to find the same address. */
  readonly derivedWith: string | undefined;
  /** The lines of a Blueprint project's `.env` that select it. */
  readonly blueprint: readonly string[] | undefined;
}

/** Where lite clients reach the network. */
export interface OfferedLiteServer {
  readonly host: string;
  readonly port: number;
  /** The public key in base64. */
  readonly key: string;
  /** The file by which clients find it. */
  readonly configPath: string;
}

/** Snapshots of a chain that runs. */
export interface OfferedSnapshots
  extends Pick<SnapshotFolder, "add" | "list" | "delete" | "get" | "getArchive" | "read"> {
  /** Without a name it is called after its newest block. */
  readonly make: (name: string | undefined) => Promise<Snapshot>;
  /** Goes back to a snapshot; gives the seqno of its newest masterchain block. */
  readonly restore: (name: string) => Promise<number>;
  /** Goes back to the chain before its first block. */
  readonly reset: () => Promise<number>;
}

/** What the owner of a chain sees of it and does to it. */
export type ControlledNet = Pick<
  Localnet,
  "account" | "accounts" | "clock" | "controls" | "drop" | "fork" | "pace" | "setPace" | "touch" | "waiting"
>;

/** The features that only a local network has. */
export interface LocalOffer {
  readonly faucet: Pick<Faucet, "post">;
  /** The chain, as far as its owner controls it. */
  readonly net: ControlledNet;
  /** The chain's time, in Unix seconds. */
  readonly now: () => number;
  /** Advances the time of the chain by this many seconds. */
  readonly advanceTime: (seconds: number) => void;
  /** Makes the next masterchain block now; returns its seqno and time. */
  readonly makeBlock: () => Promise<{ readonly seqno: number; readonly madeAt: number }>;
  /** Decides how badly the network answers its clients. */
  readonly setConditions: (conditions: Conditions) => void;
  readonly wallets: readonly OfferedWallet[];
  /** Signs a transfer of one of them. */
  readonly signTransfer: (wanted: TransferRequest) => SignedTransfer;
  readonly snapshots: OfferedSnapshots;
  /** Absent where nobody listens for lite clients. */
  readonly liteServer: OfferedLiteServer | undefined;
  /** Absent where it was not wanted, and until it is made. */
  readonly demo: () => Demo | undefined;
}
