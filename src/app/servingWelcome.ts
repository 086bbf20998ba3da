import type { Localnet } from "../localnet/Localnet.ts";
import { formatAddress } from "../model/Address.ts";

export interface ServingFacts {
  readonly net: Localnet;
  readonly folder: string;
  readonly host: string;
  readonly port: number;
}

/** What somebody needs to know in the first minute with the service. */
export function formatServing({ net, folder, host, port }: ServingFacts): string {
  const origin = `http://${host}:${port}`;
  const [first] = net.keys.wallets;
  const address =
    first === undefined ? "" : formatAddress(first.wallet.address, { bounceable: false, testOnly: false }, "base64url");
  return [
    "Tongate answers on a TON network of its own.",
    "",
    `  v2      ${origin}/api/v2/       the API page, with every operation to try`,
    `  status  ${origin}/              what runs here`,
    `  chain   ${folder}  (survives restarts; delete the folder to begin anew)`,
    "",
    "First requests:",
    "",
    `  curl '${origin}/api/v2/getMasterchainInfo'`,
    `  curl '${origin}/api/v2/getAddressInformation?address=${address}'`,
    "",
    "Funded wallets, all from the seed of this network: never use them on a real one.",
    "",
    ...net.keys.wallets.map(({ wallet, words }, i) => {
      const friendly = formatAddress(wallet.address, { bounceable: false, testOnly: false }, "base64url");
      return `  ${String(i + 1).padStart(2)}  ${wallet.version.padEnd(10)}  ${friendly}\n      ${words.join(" ")}`;
    }),
    "",
    "Ctrl-C stops it.",
    "",
  ].join("\n");
}
