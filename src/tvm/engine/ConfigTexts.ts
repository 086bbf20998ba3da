import { plainForm, writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { toBase64 } from "../../lib/bytes.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import type { Hash } from "../../model/Hash.ts";
import { TvmError } from "../errors.ts";
import type { NamedText } from "./protocol.ts";
import { slimConfig } from "./slimConfig.ts";

/** A configuration in the forms the machine is handed. */
export interface PreparedConfig {
  readonly whole: NamedText;
  /** Absent when leaving validator sets out would save little: on networks with few validators. */
  readonly slim: { readonly text: NamedText; readonly leftOut: readonly Hash[] } | undefined;
}

const maxKept = 8;

/** Below this a slim configuration is not worth running again for. */
const worthwhileBytes = 8 * 1024;

/** Prepares configurations and keeps the last few, by their hash: they change seldom and take long to write. */
export class ConfigTexts {
  readonly #kept = new Map<Hash, PreparedConfig>();

  get(config: Config): PreparedConfig {
    const { root } = config.params;
    if (root === undefined) throw new TvmError("tvm/input", "a configuration without parameters");
    const hash = root.hash();
    const prepared = this.#kept.get(hash) ?? prepare(root);
    this.#kept.delete(hash);
    this.#kept.set(hash, prepared);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > maxKept) this.#kept.delete(oldest);
    return prepared;
  }
}

function prepare(root: Cell): PreparedConfig {
  const whole = writeText("whole", root);
  const { root: slimRoot, leftOut } = slimConfig(root);
  const text = writeText("slim", slimRoot);
  const isWorthwhile = whole.boc.length - text.boc.length >= worthwhileBytes;
  return { whole, slim: isWorthwhile ? { text, leftOut } : undefined };
}

function writeText(form: "whole" | "slim", root: Cell): { readonly key: string; readonly boc: string } {
  return { key: `${form} ${root.hash()}`, boc: toBase64(writeBoc(root, plainForm)) };
}
