import { useState } from "preact/hooks";
import type { Ask } from "../api/ask.ts";
import type { DisassembleCode } from "../api/types.ts";
import { base64ToBytes } from "../format/bytes.ts";
import { formatCount } from "../format/coins.ts";
import { Copy } from "../parts/Copy.tsx";
import { Panel } from "../parts/Panel.tsx";
import { formatListing } from "./listing.ts";

type State =
  | { readonly kind: "none" | "working" }
  | { readonly kind: "done"; readonly listing: Awaited<ReturnType<DisassembleCode>> }
  | { readonly kind: "failed"; readonly reason: string };

/** The table of instructions is a part of the checks, which are loaded with the first code. */
async function disassemble(boc: string): Promise<State> {
  try {
    const module: { readonly disassembleCode: DisassembleCode } = await import(
      /* @vite-ignore */ import.meta.env.CHECKS
    );
    return { kind: "done", listing: await module.disassembleCode(base64ToBytes(boc) ?? new Uint8Array()) };
  } catch (error) {
    return { kind: "failed", reason: String(Object(error).message ?? error) };
  }
}

interface Props {
  readonly boc: string;
  readonly nameMethod: (id: number) => string | undefined;
  readonly from: Ask<unknown>;
}

/** The instructions of a code, read in this browser. */
export function Disassembly({ boc, nameMethod, from }: Props) {
  const [state, setState] = useState<State>({ kind: "none" });
  const start = () => {
    setState({ kind: "working" });
    void disassemble(boc).then(setState);
  };
  return (
    <Panel title="Instructions" from={[from]} note="Disassembled in this browser.">
      {state.kind === "none" && (
        <button type="button" onClick={start}>
          Disassemble
        </button>
      )}
      {state.kind === "working" && (
        <p class="muted loading" role="status">
          Loading…
        </p>
      )}
      {state.kind === "failed" && (
        <p class="failure" role="alert">
          The code could not be read: {state.reason}
        </p>
      )}
      {state.kind === "done" && <Listing listing={state.listing} nameMethod={nameMethod} />}
    </Panel>
  );
}

interface ListingProps extends Pick<Props, "nameMethod"> {
  readonly listing: Extract<State, { kind: "done" }>["listing"];
}

function Listing({ listing: { lines, isCut }, nameMethod }: ListingProps) {
  const text = formatListing(lines, nameMethod);
  return (
    <>
      <p class="line">
        <span class="muted">
          {formatCount(lines.length)} lines{isCut && ", and more"}
        </span>
        <Copy text={text} what="listing" />
      </p>
      <pre tabIndex={0} class="listing">
        {text}
      </pre>
    </>
  );
}
