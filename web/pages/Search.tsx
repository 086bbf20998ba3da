import { useEffect, useState } from "preact/hooks";
import { findPath } from "../api/search.ts";
import { replacePlace } from "../browser/router.ts";
import { Empty } from "../parts/Panel.tsx";
import type { PageProps } from "./PageProps.ts";

/** Resolves the text and redirects to the result; stays only if nothing is found. */
export function Search({ query }: PageProps) {
  const text = query.get("q") ?? "";
  const [state, setState] = useState<"searching" | "nothing" | string>("searching");
  useEffect(() => {
    let isWanted = true;
    setState("searching");
    findPath(text).then(
      (path) => {
        if (!isWanted) return;
        if (path === undefined) setState("nothing");
        else replacePlace(path);
      },
      (error: unknown) => isWanted && setState(String(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [text]);
  return (
    <>
      <h1>Search</h1>
      {state === "searching" && <p class="muted">Searching…</p>}
      {state === "nothing" && (
        <Empty>
          Nothing found for <bdi class="searched">{text.slice(0, 200)}</bdi> on this network. You can search for
          addresses in any form, names that end with .ton, hashes of transactions, messages and blocks in hex or base64,
          block numbers, block ids such as (0,8000000000000000,12), bags of cells, and links of other explorers.
        </Empty>
      )}
      {state !== "searching" && state !== "nothing" && <p class="failure">The search failed: {state}</p>}
    </>
  );
}
