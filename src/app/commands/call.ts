import { readRoot, writeBoc } from "../../cell/boc.ts";
import { loadCell, storeCell } from "../../cell/codec.ts";
import { isCoded } from "../../lib/errors.ts";
import { findAddress, formatAddress } from "../../model/Address.ts";
import { internalAddress } from "../../model/messageAddress.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { keyOption, loadClients } from "../client/loadClients.ts";
import { readBag } from "../client/readBag.ts";
import { AppError } from "../errors.ts";
import { exitInWords } from "../replay/formatReplay.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

export const call = declareCommand({
  name: "call",
  summary:
    "Call a get-method of an account. Arguments are numbers, addresses, or bags of cells in base64 or hex; " +
    "a bag is passed as a cell, or as a slice if it is written slice:BASE64.",
  usage: ["ADDRESS METHOD [ARGUMENT…]"],
  examples: [
    "tongate call EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N seqno",
    "tongate call EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N get_nft_address_by_index 7 --network mainnet",
  ],
  options: { ...jsonOption, ...keyOption },
  server: "configured",
  run: async (terminal, { config, words, own }) => {
    const [text = "", method, ...args] = words;
    const address = findAddress(text)?.address;
    if (address === undefined || method === undefined)
      throw new AppError("app/usage", "call takes an address, a method and its arguments");
    const stack = args.map(readArgument);
    const facts = await (await loadClients(config, own)).v2.runGetMethod({ address, method, stack });
    const { exit_code: exitCode } = facts;
    const lines = [...facts.stack].map(formatEntry);
    writeFacts(terminal, own, facts, () => `${lines.join("\n")}${lines.length === 0 ? "" : "\n"}`);
    if (exitCode !== 0 && exitCode !== 1)
      throw new AppError("app/problems", `${method} ended with exit code ${exitInWords(exitCode)}`);
  },
});

/** An argument in the form of v2's stack. */
function readArgument(text: string): readonly [type: string, value: string] {
  if (/^-?(?:[0-9]+|0x[0-9a-f]+)$/i.test(text)) return ["num", text];
  const address = findAddress(text)?.address;
  if (address !== undefined) {
    const slice = storeCell(internalAddress, address);
    return ["tvm.Slice", writeBoc(slice).toString("base64")];
  }
  const [, content = text] = /^slice:(.*)$/s.exec(text) ?? [];
  const bag = readBag(Buffer.from(content), text).toString("base64");
  return [content === text ? "tvm.Cell" : "tvm.Slice", bag];
}

/** A result as one line; a cell that is an address is shown as one. */
function formatEntry(entry: unknown): string {
  const [type, value]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  if (type === "num") return formatNumber(String(value));
  const { bytes } = Object(value);
  if (typeof bytes !== "string") return `${type} ${JSON.stringify(value)}`;
  const address = findCellAddress(bytes);
  return address === undefined ? `${type} ${bytes}` : `address ${address}`;
}

function formatNumber(hex: string): string {
  const value = hex.startsWith("-") ? -BigInt(hex.slice(1)) : BigInt(hex);
  return `${value} (${hex})`;
}

function findCellAddress(bytes: string): string | undefined {
  try {
    const found = loadCell(internalAddress, readRoot(Buffer.from(bytes, "base64")));
    return typeof found === "string"
      ? formatAddress(found, { bounceable: true, testOnly: false }, "base64url")
      : undefined;
  } catch (error) {
    if (!isCoded(error)) throw error;
    return undefined;
  }
}
