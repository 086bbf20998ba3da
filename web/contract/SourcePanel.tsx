import { askSource, type SourceAnswer } from "../api/contract.ts";
import { useAsk } from "../api/useAsk.ts";
import { Await, Panel } from "../parts/Panel.tsx";
import { HashText } from "../parts/values.tsx";

/** Characters of a source that are shown. */
const maxShown = 200_000;

/** The source that was supplied with an ABI, and whether it compiles to the code. */
export function SourcePanel({ address }: { readonly address: string }) {
  const ask = askSource(address);
  const loaded = useAsk(ask);
  return (
    <Panel title="Source" from={[ask]} note="As it was supplied with an ABI of your own.">
      <Await of={loaded}>
        {({ source, source_check: check }) => (
          <>
            {check !== null && <Verdict check={check} />}
            <pre class="listing" tabIndex={0}>
              {source === null || source.length <= maxShown ? source : `${source.slice(0, maxShown)}…`}
            </pre>
          </>
        )}
      </Await>
    </Panel>
  );
}

function Verdict({ check }: { readonly check: NonNullable<SourceAnswer["source_check"]> }) {
  const { verdict, compiler, code_hash: hash, reason } = check;
  if (verdict === "equal") return <p role="status">Compiled source equals this code ({compiler}).</p>;
  if (verdict === "different") {
    return (
      <p role="status">
        The source compiles to another code ({compiler}): {hash !== null && <HashText hash={hash} isFull />}
      </p>
    );
  }
  return (
    <p role="status">
      The source was not compared with this code: <bdi>{reason}</bdi>
    </p>
  );
}
