import { useMemo, useState } from "preact/hooks";
import { v2 } from "../api/ask.ts";
import { checkBy } from "../api/check.ts";
import { useHead } from "../api/live.ts";
import { useAsk } from "../api/useAsk.ts";
import { href } from "../browser/router.ts";
import { BagError } from "../cells/Cell.ts";
import { parseBag } from "../cells/parseBag.ts";
import { shorten } from "../format/hash.ts";
import { humanize } from "../format/names.ts";
import { Await, Empty, Facts, Panel } from "../parts/Panel.tsx";
import { Badge } from "../parts/values.tsx";
import { briefCell, compareParams, type Difference, listParams, type Param } from "./config/params.ts";
import type { PageProps } from "./PageProps.ts";

/** The network configuration at a block, and its changes since another block. */
export function Config({ params: [given = ""], query }: PageProps) {
  const head = useHead();
  const against = query.get("against") ?? "";
  const seqno = given === "" ? undefined : Number(given);
  const ask = v2("getConfigAll", seqno === undefined ? {} : { seqno });
  const loaded = useAsk(ask);
  const isCompared = /^\d+$/.test(against);
  const askOther = isCompared ? v2("getConfigAll", { seqno: Number(against) }) : undefined;
  const other = useAsk(askOther);
  const params = useParams(loaded.kind === "ok" ? bytesOf(loaded.data) : undefined);
  const others = useParams(other.kind === "ok" ? bytesOf(other.data) : undefined);
  return (
    <>
      <h1>Configuration {seqno === undefined ? "now" : `at block ${seqno}`}</h1>
      <Panel title="Choose blocks" from={[ask, askOther]} note="The rules of the network: prices, limits, validators.">
        <Chooser seqno={given} against={against} newest={head.seqno} />
      </Panel>
      {isCompared && (
        <Panel title={`Difference to block ${against}`} from={[ask, askOther]}>
          <Await of={other}>{() => <Differences found={compareParams(others, params)} />}</Await>
        </Panel>
      )}
      <Panel
        title="Parameters"
        from={[ask]}
        check={
          loaded.kind === "ok"
            ? checkBy("getConfigAll", seqno === undefined ? {} : { seqno }, (proved) => [
                ["the configuration", bytesOf(loaded.data), bytesOf(proved)],
              ])
            : undefined
        }
      >
        <Await of={loaded}>{() => params.map((param) => <ParamView key={param.id} param={param} />)}</Await>
      </Panel>
    </>
  );
}

/** The bag of cells in a v2 answer. */
function bytesOf(answer: unknown): string {
  const { config } = Object(answer) as { readonly config?: { readonly bytes?: string } };
  return config?.bytes ?? "";
}

function useParams(boc: string | undefined): readonly Param[] {
  return useMemo(() => {
    if (boc === undefined || boc === "") return [];
    try {
      const [root] = parseBag(boc);
      return root === undefined ? [] : listParams(root);
    } catch (error) {
      if (error instanceof BagError) return [];
      throw error;
    }
  }, [boc]);
}

function Chooser({
  seqno,
  against,
  newest,
}: {
  readonly seqno: string;
  readonly against: string;
  readonly newest: number;
}) {
  const [at, setAt] = useState(seqno);
  const [other, setOther] = useState(against);
  const path = `${at.trim() === "" ? "/config" : `/config/${at.trim()}`}${other.trim() === "" ? "" : `?against=${other.trim()}`}`;
  return (
    <div class="line form">
      <label>
        Block
        <input
          inputMode="numeric"
          value={at}
          placeholder={newest === 0 ? "newest" : `newest (${newest})`}
          onInput={({ currentTarget }) => setAt(currentTarget.value)}
        />
      </label>
      <label>
        Compare with block
        <input
          inputMode="numeric"
          value={other}
          placeholder="none"
          onInput={({ currentTarget }) => setOther(currentTarget.value)}
        />
      </label>
      <a class="button" href={href(path)}>
        Show
      </a>
    </div>
  );
}

function ParamView({ param }: { readonly param: Param }) {
  return (
    <details class="param" id={`param-${param.id}`}>
      <summary>
        <span class="number muted">{param.id}</span> <strong>{param.name}</strong>{" "}
        <span class="muted">{param.about}</span>
      </summary>
      <ParamFields param={param} />
      <p class="small muted">Hash of the cell: {shorten(param.cell.hash, 12, 8)}</p>
    </details>
  );
}

function ParamFields({ param }: { readonly param: Param }) {
  if (param.fields.length > 0) {
    return (
      <Facts facts={param.fields.map(([name, value]) => [humanize(name), <code key={name}>{value}</code>] as const)} />
    );
  }
  return (
    <p>
      <code class="bits">{briefCell(param.cell)}</code>
    </p>
  );
}

function Differences({ found }: { readonly found: readonly Difference[] }) {
  if (found.length === 0) return <Empty>Nothing differs.</Empty>;
  return (
    <>
      {found.map((difference) => {
        if (difference.kind !== "changed") {
          const { param, kind } = difference;
          return (
            <div class="difference" key={param.id}>
              <p>
                <Badge tone={kind === "added" ? "good" : "bad"}>{kind}</Badge> {param.id} <strong>{param.name}</strong>
              </p>
              <ParamFields param={param} />
            </div>
          );
        }
        return <Changed key={difference.after.id} before={difference.before} after={difference.after} />;
      })}
    </>
  );
}

function Changed({ before, after }: { readonly before: Param; readonly after: Param }) {
  const old = new Map(before.fields);
  const rows = after.fields.filter(([name, value]) => old.get(name) !== value);
  const shown = rows.length > 0 ? rows : [["cell", briefCell(after.cell)] as const];
  return (
    <div class="difference">
      <p>
        <Badge tone="warn">changed</Badge> {after.id} <strong>{after.name}</strong>
      </p>
      <Facts
        facts={shown.map(([name, value]) => [
          humanize(name),
          <span key={name}>
            <del>{rows.length > 0 ? (old.get(name) ?? "nothing") : briefCell(before.cell)}</del> <ins>{value}</ins>
          </span>,
        ])}
      />
    </div>
  );
}
