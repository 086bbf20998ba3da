import type { Random } from "../../../src/lib/random.ts";
import { Dice } from "./Dice.ts";
import { type FuzzedRequest, otherBodies } from "./fuzzedV2Requests.ts";

/** A valid v3 request, used as the base for fuzzed ones. */
export interface ValidV3Request {
  readonly name: string;
  readonly methods: readonly string[];
  readonly args: Readonly<Record<string, unknown>>;
  /** All parameter names of the endpoint. */
  readonly names: readonly string[];
}

const strange: readonly unknown[] = [
  ...["", " ", "0", "1", "-1", "+1", "7", "1e3", "1.5", "0x10", "0x0f8a7ea5", "NaN", "null", "true", "TRUE", "maybe"],
  ...["2147483647", "2147483648", "-2147483648", "9223372036854775807", "9223372036854775808", "18446744073709551615"],
  ...["99999999999999999999999999999999999999999", "8000000000000000", "-9223372036854775808", "(0,8000000000000000)"],
  ...[
    "\u0000",
    "\ud800",
    "💎",
    "ä".repeat(24),
    "a".repeat(5000),
    "%",
    "'",
    '"',
    "\\",
    "\\x00",
    "a,b,c",
    ",",
    "[]",
    "{}",
  ],
  ...[`0:${"0".repeat(64)}`, `-1:${"3".repeat(64)}`, `7:${"1".repeat(64)}`, `300:${"0".repeat(64)}`],
  ...[`0:${"g".repeat(64)}`, `2147483648:${"0".repeat(64)}`, "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"],
  ...["EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M", "9".repeat(64), `${"a".repeat(64)},${"b".repeat(64)}`],
  ...["asc", "desc", "in", "out", "both", "jetton_transfer", "jetton_transfer,ton_transfer", "latest", "v1", "AAAA"],
  ...["te6cckEBAQEAAgAAAEysuc0=", "te6cckEBAQEAAgAAAEysuc0", "te6ccgEBAQEAAg==", "WyJ4IiwiMSJd", "W251bGxd"],
  ...[null, true, 0, -1, 2 ** 53, 1e300, 0.5, [], {}, [[]], [null], ["a", 5], { type: "num", value: "5" }],
  ...[{ toString: 1 }, [{ toString: null, valueOf: 0 }]],
];

const others = ["x", "__proto__", "constructor", "limit[]", "ADDRESS", "cursor", "offset", "limit", "sort", "api_key"];

/** Makes malformed v3 requests; the same seed gives the same requests. */
export class V3RequestFuzzer {
  readonly #dice: Dice;
  readonly #valid: readonly ValidV3Request[];
  readonly #base: string;
  readonly #values: readonly unknown[];

  constructor(random: Random, valid: readonly ValidV3Request[], base = "/api/v3/") {
    this.#dice = new Dice(random);
    this.#valid = valid;
    this.#base = base;
    this.#values = [...strange, ...valid.flatMap(({ args }) => Object.values(args))];
  }

  next(): FuzzedRequest {
    if (this.#dice.chance(4)) return this.#stray();
    const { name, methods, args } = this.#mutateRequest();
    return methods.includes("GET") && (!methods.includes("POST") || this.#dice.chance(50))
      ? this.#get(name, args)
      : {
          method: "POST",
          path: `${this.#base}${name}`,
          headers: this.#headers(),
          body: this.#text(args),
          asks: [name],
        };
  }

  #get(name: string, args: ValidV3Request["args"]): FuzzedRequest {
    const pairs = Object.entries(args).flatMap(([key, value]) => {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      return values.map((each) => `${encodeURIComponent(key)}=${this.#encode(textOf(each))}`);
    });
    const path = `${this.#base}${name}?${pairs.join("&")}`;
    return { method: "GET", path, headers: this.#headers(), body: undefined, asks: [name] };
  }

  #encode(text: string): string {
    // Sometimes unencoded, without the characters that would end the request line.
    return this.#dice.chance(10)
      ? text.replace(/[^!-~]|[#\\]/g, "")
      : encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
  }

  /** Wrong methods and paths. */
  #stray(): FuzzedRequest {
    const { name, args } = this.#mutateRequest();
    const method = this.#dice.pick(["PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "GET", "POST"]);
    const path = this.#dice.pick([
      ...[
        `${this.#base}${name}/`,
        `${this.#base}/${name}`,
        `${this.#base}${name.toUpperCase()}`,
        `/api/v3000/${name}`,
        `/${name}`,
      ],
      ...[
        `${this.#base}${name}/x`,
        `${this.#base}%zz`,
        `${this.#base}%00`,
        `${this.#base}${"a".repeat(9000)}`,
        `${this.#base}jsonRPC`,
      ],
    ]);
    const hasBody = method === "PUT" || method === "POST" || method === "PATCH";
    return { method, path, headers: this.#headers(), body: hasBody ? this.#text(args) : undefined, asks: [] };
  }

  #mutateRequest(): ValidV3Request {
    const valid = this.#dice.pick(this.#valid);
    const mutated: Record<string, unknown> = { ...valid.args };
    for (const key of Object.keys(mutated)) {
      if (this.#dice.chance(10)) delete mutated[key];
      else if (this.#dice.chance(25)) mutated[key] = this.#mutate(mutated[key]);
    }
    while (this.#dice.chance(35))
      mutated[this.#dice.chance(85) ? this.#dice.pick(valid.names) : this.#dice.pick(others)] = this.#value();
    // A request limited to a millisecond may fail legitimately.
    delete mutated.x_timeout;
    return { ...valid, args: mutated };
  }

  #mutate(value: unknown): unknown {
    if (this.#dice.chance(40)) return this.#value();
    if (typeof value === "number" || typeof value === "bigint") return this.#mutateText(String(value));
    if (typeof value === "string") return this.#mutateText(value);
    if (!Array.isArray(value)) return this.#value();
    return this.#dice.pick<unknown>([[...value, ...value], value.slice(1), value[0], [...value, this.#value()]]);
  }

  #mutateText(text: string): string {
    const at = this.#dice.int(text.length + 1);
    const other = this.#dice.pick(["", "0", "A", "=", "+", "-", "_", "/", " ", "\n", "%", "é", "💎", '"', "\\", ","]);
    return this.#dice.pick([
      ...[text.slice(0, at) + other + text.slice(at + 1), text.slice(0, at), text + text, text.toUpperCase()],
      ...[` ${text} `, `${text},${text}`, `-${text}`],
    ]);
  }

  #text(value: unknown): string {
    const text = JSON.stringify(value, (_key, each: unknown) => (typeof each === "bigint" ? String(each) : each));
    const at = this.#dice.int(text.length + 1);
    const way = this.#dice.int(100);
    if (way < 90) return text;
    if (way < 94) return text.slice(0, at);
    if (way < 97)
      return text.slice(0, at) + this.#dice.pick(["}", "]", ",", "\u0000", "1e999", "NaN"]) + text.slice(at);
    return this.#dice.pick(otherBodies);
  }

  #headers(): Record<string, string> {
    if (this.#dice.chance(70)) return {};
    return this.#dice.pick<Record<string, string>>([
      ...[{ "content-type": "application/json" }, { "content-type": "text/plain" }, { "content-type": ";;;" }],
      ...[{ "accept-encoding": "gzip" }, { "x-no-address-book": "true" }, { "x-no-metadata": "1" }],
      ...[{ "x-actions-version": "v1" }, { "x-actions-version": "ä" }, { "x-debug-request": "maybe" }],
    ]);
  }

  #value(): unknown {
    return this.#dice.pick(this.#values);
  }
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
