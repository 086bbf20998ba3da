import { useEffect, useState } from "preact/hooks";
import { href, replacePlace } from "../browser/router.ts";
import { Empty, Panel } from "../parts/Panel.tsx";
import { Badge } from "../parts/values.tsx";
import type { PageProps } from "./PageProps.ts";
import { findPath } from "./search/findPath.ts";
import type { SearchResult } from "./search/SearchResult.ts";

type State =
  | { readonly kind: "searching" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "found"; readonly results: readonly SearchResult[] };

/** Resolves the text and redirects to the result; stays if there are several, or none. */
export function Search({ query }: PageProps) {
  const text = query.get("q") ?? "";
  const [state, setState] = useState<State>({ kind: "searching" });
  useEffect(() => {
    let isWanted = true;
    setState({ kind: "searching" });
    findPath(text).then(
      (found) => {
        if (!isWanted) return;
        if (typeof found === "string") replacePlace(found);
        else setState({ kind: "found", results: found });
      },
      (error: unknown) => isWanted && setState({ kind: "failed", reason: String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [text]);
  return (
    <>
      <h1>Search</h1>
      {state.kind === "searching" && <p class="muted loading">Searching…</p>}
      {state.kind === "failed" && <p class="failure">The search failed: {state.reason}</p>}
      {state.kind === "found" && state.results.length === 0 && <Nothing text={text} />}
      {state.kind === "found" && state.results.length > 0 && <Results results={state.results} />}
    </>
  );
}

function Nothing({ text }: { readonly text: string }) {
  return (
    <Empty>
      Nothing found for <bdi class="searched">{text.slice(0, 200)}</bdi> on this network. You can search for addresses
      in any form, names of accounts, tokens and collections, domains, whole comments, hashes of transactions, messages
      and blocks in hex or base64, block numbers, block ids such as (0,8000000000000000,12), bags of cells, and links of
      other explorers.
    </Empty>
  );
}

function Results({ results }: { readonly results: readonly SearchResult[] }) {
  return (
    <Panel title="Results" from={[]} note={`${results.length} found. Comments are found by their whole text.`}>
      <ul class="rows">
        {results.map(({ kind, title, path }) => (
          <li key={path}>
            <a href={href(path)}>
              <bdi>{title.slice(0, 200)}</bdi>
            </a>
            <span class="aside">
              <Badge>{kind}</Badge>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
