import { type Ask, get, readEnvelope, readPlain } from "../../api/ask.ts";
import { learnNames } from "../../api/book.ts";
import { type Loaded, useAsk } from "../../api/useAsk.ts";

/** A funded wallet of the local network. */
export interface LocalWallet {
  readonly name: string;
  /** In the form of v3. */
  readonly address: string;
  /** Version of the wallet contract. */
  readonly version: string;
  readonly words: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

interface LocalDocument {
  readonly paths?: Readonly<Record<string, unknown>>;
}

/** The operations that this server has for its local network. */
export const askLocalDocument = get("/localnet/openapi.json", undefined, readPlain<LocalDocument>);

type Field = Readonly<Record<string, unknown>>;

const askWallets = get("/localnet/wallets", undefined, (answer): readonly LocalWallet[] => {
  const rows = readEnvelope<readonly Field[]>(answer).map(readWallet);
  learnNames(rows);
  return rows;
});

const shownElsewhere = new Set(["name", "address", "version", "words"]);

function readWallet(row: Field, at: number): LocalWallet {
  const facts = Object.entries(row).filter(([name, value]) => !shownElsewhere.has(name) && value !== null);
  return {
    name: String(row.name ?? `wallet ${at + 1}`),
    address: String(row.address).toUpperCase(),
    version: String(row.version ?? ""),
    words: String(row.words ?? ""),
    facts: facts.map(([name, value]) => [name, String(value)] as const),
  };
}

/** Whether this server has the operation. */
export function hasLocal(document: Loaded<LocalDocument>, name: string): boolean {
  return document.kind === "ok" && document.data.paths?.[`/${name}`] !== undefined;
}

/** The wallets, if the server lists them. */
export function useLocalWallets(): {
  readonly ask: Ask<unknown> | undefined;
  readonly wallets: Loaded<readonly LocalWallet[]>;
} {
  const document = useAsk(askLocalDocument);
  const isListed = hasLocal(document, "wallets");
  const wallets = useAsk(isListed ? askWallets : undefined);
  return { ask: isListed ? askWallets : undefined, wallets };
}
