import { findAddress, formatAddress } from "../../model/Address.ts";
import { formatCoins } from "../../model/coins.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { keyOption, loadClients } from "../client/loadClients.ts";
import { AppError } from "../errors.ts";
import { notWords } from "../terminal/commandLine.ts";
import { formatRows, type ScreenRow } from "../terminal/screen.ts";
import { styleFor } from "../terminal/style.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

export const account = declareCommand({
  name: "account",
  summary: "Show the state of an account, as the running server reports it.",
  usage: ["ADDRESS"],
  examples: [
    "tongate account EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
    "tongate account EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N --network mainnet --json",
  ],
  options: { ...jsonOption, ...keyOption },
  server: "configured",
  run: async (terminal, { config, words, own }) => {
    const [text = "", ...more] = words;
    const address = findAddress(text)?.address;
    if (address === undefined || more.length > 0)
      throw new AppError("app/usage", `account takes one address${notWords(words)}`);
    const { v2, coin } = await loadClients(config, own);
    const facts = await v2.getAddressInformation({ address });
    const { state, balance, last_transaction_id: last, block_id: block } = facts;
    const friendly = (bounceable: boolean) => formatAddress(address, { bounceable, testOnly: false }, "base64url");
    const rows: readonly ScreenRow[] = [
      ["address", friendly(true), "bounceable"],
      ["", friendly(false), "not bounceable"],
      ["", address],
      ["state", state],
      ["balance", `${formatCoins(BigInt(balance))} ${coin.symbol}`],
      ...(last.lt === "0" ? [] : [["last", `lt ${last.lt}`, last.hash] as const]),
      ["block", `masterchain ${block.seqno}`],
    ];
    writeFacts(terminal, own, { address, ...facts }, () => `${formatRows(rows, styleFor(terminal)).join("\n")}\n`);
  },
});
