import type { Random } from "../../../src/lib/random.ts";
import { Dice } from "./Dice.ts";

/** A request as sent over HTTP. */
export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The API methods it calls: one, several for a batch, none when unknown. */
  readonly asks: readonly string[];
}

/** A valid request, used as the base for fuzzed ones. */
export interface Seed {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const strange: readonly unknown[] = [
  ...[{ toString: 1 }, [{ toString: null, valueOf: 0 }]],
  ...[null, true, false, 0, 1, -1, 24, 25, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e300, 0.5, -0],
  ...[
    "",
    " ",
    "0",
    "-0",
    "+1",
    "1e3",
    "0x10",
    "NaN",
    "null",
    "true",
    "24",
    "9223372036854775808",
    "-9223372036854775808",
  ],
  ...[
    "99999999999999999999999999999999999999999",
    "\u0000",
    "\ud800",
    "😀".repeat(20),
    "ä".repeat(24),
    "a".repeat(5000),
  ],
  ...[
    `0:${"0".repeat(64)}`,
    `-1:${"3".repeat(64)}`,
    `7:${"1".repeat(64)}`,
    `0:${"g".repeat(64)}`,
    `2147483648:${"0".repeat(64)}`,
  ],
  ...["EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N", "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M"],
  ...["te6cckEBAQEAAgAAAEysuc0=", "te6cckEBAQEAAgAAAEysuc0", "te6ccgEBAQEAAg==", "AAAA", "!!!!"],
  ...[[], {}, [[]], [null], { "@type": "tvm.stackEntryNumber" }, { bytes: 5 }, { elements: [] }, ["num", "5"]],
  ...[
    [["num", "0x5"]],
    [["tuple", { elements: [{ "@type": "tvm.stackEntryList", list: {} }] }]],
    [["cell", { bytes: "AA==" }]],
  ],
];

/** Makes malformed requests; the same seed gives the same requests. */
export class V2RequestFuzzer {
  readonly #dice: Dice;
  readonly #seeds: readonly Seed[];
  readonly #values: readonly unknown[];

  constructor(random: Random, seeds: readonly Seed[]) {
    this.#dice = new Dice(random);
    this.#seeds = seeds;
    this.#values = [...strange, ...seeds.flatMap(({ args }) => Object.values(args))];
  }

  next(): FuzzedRequest {
    const way = this.#dice.int(100);
    if (way < 40) return this.#get();
    if (way < 65) return this.#post();
    if (way < 85) return this.#rpc();
    if (way < 92) return this.#batch();
    return this.#stray();
  }

  #get(): FuzzedRequest {
    const { name, args } = this.#mutateRequest();
    const pairs = Object.entries(args).flatMap(([key, value]) => this.#pairsOf(key, value));
    return { method: "GET", path: `/api/v2/${name}?${pairs.join("&")}`, headers: {}, body: undefined, asks: [name] };
  }

  #pairsOf(key: string, value: unknown): string[] {
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    const pair = `${encodeURIComponent(key)}=${this.#dice.chance(20) ? rawPart(text) : encodeURIComponent(wellFormed(text))}`;
    return this.#dice.chance(20) ? [pair, pair.replace(/=.*/s, "=5")] : [pair];
  }

  #post(): FuzzedRequest {
    const { name, args } = this.#mutateRequest();
    return { method: "POST", path: `/api/v2/${name}`, headers: this.#types(), body: this.#text(args), asks: [name] };
  }

  #rpc(): FuzzedRequest {
    const { name, call } = this.#call();
    const path = this.#dice.chance(5) ? "/" : "/api/v2/jsonRPC";
    return { method: "POST", path, headers: this.#types(), body: this.#text(call), asks: [name] };
  }

  #batch(): FuzzedRequest {
    const many = Array.from({ length: 1 + this.#dice.int(this.#dice.chance(20) ? 120 : 5) }, () => this.#call());
    const body = this.#text(many.map(({ call }) => call));
    const asks = many.map(({ name }) => name);
    return { method: "POST", path: "/api/v2/jsonRPC", headers: this.#types(), body, asks };
  }

  /** Wrong methods and paths. */
  #stray(): FuzzedRequest {
    const { name, args } = this.#mutateRequest();
    const method = this.#dice.pick(["PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "GET", "POST", "TRACE"]);
    const path = this.#dice.pick([
      ...[`/api/v2/${name}/`, `/api/v2//${name}`, `/api/v2/${name.toUpperCase()}`, `/api/v3000/${name}`, `/${name}`],
      ...[`/api/v2/${name}/x`, "/api/v2/jsonRPC", "/api/v2/%zz", "/api/v2/%00", `/api/v2/${"a".repeat(9000)}`, "/"],
    ]);
    const hasBody = method === "PUT" || method === "POST" || method === "PATCH";
    return { method, path, headers: this.#types(), body: hasBody ? this.#text(args) : undefined, asks: [] };
  }

  #call(): { readonly name: string; readonly call: unknown } {
    const { name, args } = this.#mutateRequest();
    const call: Record<string, unknown> = { id: this.#id(), jsonrpc: "2.0", method: name, params: args };
    if (!this.#dice.chance(10)) return { name, call };
    const key = this.#dice.pick(["id", "jsonrpc", "method", "params"]);
    if (this.#dice.chance(50)) delete call[key];
    else call[key] = this.#value();
    return { name: typeof call.method === "string" ? call.method : "", call };
  }

  #id(): unknown {
    return this.#dice.chance(80) ? this.#dice.int(10) : this.#value();
  }

  /** A valid request with some arguments changed, removed or added. */
  #mutateRequest(): Seed {
    const { name, args } = this.#dice.pick(this.#seeds);
    const mutated: Record<string, unknown> = { ...args };
    for (const key of Object.keys(mutated)) {
      if (this.#dice.chance(15)) delete mutated[key];
      else if (this.#dice.chance(30)) mutated[key] = this.#mutate(mutated[key]);
    }
    if (this.#dice.chance(10))
      mutated[this.#dice.pick(["seqno", "lt", "hash", "__proto__", "constructor", "x", "ä"])] = this.#value();
    return { name: this.#dice.chance(2) ? "noSuchMethod" : name, args: mutated };
  }

  #mutate(value: unknown): unknown {
    if (this.#dice.chance(40)) return this.#value();
    if (typeof value === "number")
      return this.#dice.pick([value + 1, value - 1, -value, String(value), value * 2 ** 32, [value]]);
    if (typeof value === "string") return this.#mutateText(value);
    if (Array.isArray(value))
      return this.#dice.pick([[...value, ...value], value.slice(1), [value], [...value, this.#value()]]);
    return this.#value();
  }

  #mutateText(text: string): string {
    const at = this.#dice.int(text.length + 1);
    const other = this.#dice.pick(["", "0", "A", "=", "+", "-", "_", "/", " ", "\n", "%", "é", "😀", '"', "\\"]);
    return this.#dice.pick([
      text.slice(0, at) + other + text.slice(at + 1),
      text.slice(0, at),
      text + text,
      text.toUpperCase(),
      ` ${text} `,
    ]);
  }

  /** JSON, sometimes with a duplicate key, cut off, or with other text inside. */
  #text(value: unknown): string {
    const text = JSON.stringify(value);
    const way = this.#dice.int(100);
    if (way < 88) return text;
    const at = this.#dice.int(text.length + 1);
    if (way < 91) return text.replace(/^\{("[^"]*":)/, '{$1"twice",$1');
    if (way < 94) return text.slice(0, at);
    if (way < 97)
      return text.slice(0, at) + this.#dice.pick(["}", "]", ",", "\u0000", "1e999", "﻿", "NaN"]) + text.slice(at);
    return this.#dice.pick(otherBodies);
  }

  #types(): Record<string, string> {
    if (this.#dice.chance(70)) return { "content-type": "application/json" };
    return this.#dice.pick<Record<string, string>>([
      ...[{}, { "content-type": "text/plain" }, { "content-type": "multipart/form-data" }, { "content-type": ";;;" }],
      ...[{ "x-api-key": "" }, { "accept-encoding": "gzip" }, { "x-tongate-trace": "1" }, { "x-request-id": "a b" }],
    ]);
  }

  #value(): unknown {
    return this.#dice.pick(this.#values);
  }
}

/** Bodies that are no JSON objects, or too deep. */
export const otherBodies = [
  "",
  "null",
  "[]",
  "5",
  '"x"',
  "[".repeat(3000),
  `{"a":${"[".repeat(500)}${"]".repeat(500)}}`,
];

/** Removes the characters that would end the request line. */
function rawPart(text: string): string {
  return text.replace(/[^!-~]|[#\\]/g, "");
}

/** A lone surrogate cannot be URL-encoded. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
