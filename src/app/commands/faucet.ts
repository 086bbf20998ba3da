import { ApiError } from "../../api/declare/errors.ts";
import { systemClock } from "../../lib/clock.ts";
import { parseJson } from "../../lib/json.ts";
import { makeArg } from "../../lib/kit/arg.ts";
import type { Command } from "../Command.ts";
import { notWords } from "../commandLine.ts";
import { type AppConfig, loadConfig, settingsFor, systemSources } from "../config.ts";
import { AppError } from "../errors.ts";
import { localName, planNetworks } from "../networks/planNetworks.ts";
import { mergeSettings, option, parseOwnFlags } from "../options.ts";

const coin = 1_000_000_000n;

/** Coins as people write them. */
const coinsArg = makeArg<bigint>({
  schema: { type: "string" },
  allowed: "coins, such as 5 or 0.25, with at most nine digits behind the point",
  read: (value) => {
    const [, whole, part = ""] = /^([0-9]{1,12})(?:\.([0-9]{1,9}))?$/.exec(String(value)) ?? [];
    return whole === undefined ? undefined : BigInt(whole) * coin + BigInt(part.padEnd(9, "0"));
  },
});

const ownOptions = { amount: option(coinsArg, "100", "Coins to send.") };

export const faucet: Command = {
  name: "faucet",
  summary: "Send coins of the running local network to an account.",
  examples: [
    "tongate faucet EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
    "tongate faucet EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N --amount 0.5 --port 9000",
  ],
  options: ownOptions,
  settings: settingsFor("host", "port", "networks"),
  run: async (terminal, args) => {
    const { own, rest } = parseOwnFlags(args, ownOptions);
    const { config, words } = loadConfig(rest);
    const [address, ...more] = words;
    if (address === undefined || more.length > 0)
      throw new AppError("app/usage", `faucet takes one address${notWords(words)}`);
    const { amount } = mergeSettings(ownOptions, [own]).values;
    const { message_hash: hash, status } = await askFaucet(originOf(config), { address, amount: String(amount) });
    const seen = status === "sent" ? "in a block" : "waits for a block";
    terminal.write(`gave ${formatCoins(amount)} TON to ${address}: message ${hash}, ${seen}\n`);
  },
};

/** The address of the local network of this configuration. */
function originOf(config: AppConfig): string {
  const [plan] = planNetworks({ ...config, network: [localName] }, systemSources.findFile);
  const { host, port } = plan?.place ?? config;
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

interface Asked {
  readonly address: string;
  readonly amount: string;
}

const patienceMs = 15_000;

async function askFaucet(origin: string, asked: Asked): Promise<Readonly<Record<string, unknown>>> {
  const url = `${origin}/localnet/faucet`;
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(asked) };
  const { status, text } = await send(url, request);
  const { ok, result, error }: Readonly<Record<string, unknown>> = Object(parseJson(text));
  if (ok !== true) {
    const reason = status === 404 ? "no local network is answered for there" : String(error);
    throw new ApiError("api/refused", `${url}: ${reason}`, { data: { status, error: reason } });
  }
  return Object(result);
}

async function send(url: string, request: RequestInit): Promise<{ readonly status: number; readonly text: string }> {
  const end = new AbortController();
  const cancel = systemClock.timer(patienceMs, () => end.abort());
  try {
    const response = await fetch(url, { ...request, signal: end.signal });
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    throw new ApiError("api/unreachable", `nobody answers at ${url}; is the server running?`, { cause });
  } finally {
    cancel();
  }
}

function formatCoins(nanocoins: bigint): string {
  const part = (nanocoins % coin).toString().padStart(9, "0").replace(/0+$/, "");
  return part === "" ? `${nanocoins / coin}` : `${nanocoins / coin}.${part}`;
}
