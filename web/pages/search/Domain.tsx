import { useEffect } from "preact/hooks";
import { v3 } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { replacePlace } from "../../browser/router.ts";
import { Await, Empty } from "../../parts/Panel.tsx";

/** Leads to the item that a domain is, which has its records. */
export function Domain({ params: [domain = ""] }: { readonly params: readonly string[] }) {
  const loaded = useAsk(v3("dns/records", { domain: domain.toLowerCase(), limit: 1 }));
  const item = loaded.kind === "ok" ? loaded.data.records[0]?.nft_item_address : undefined;
  useEffect(() => {
    if (item !== undefined) replacePlace(`/address/${item}`);
  }, [item]);
  return (
    <>
      <h1>
        <bdi>{domain.slice(0, 200)}</bdi>
      </h1>
      <Await of={loaded}>{() => item === undefined && <Empty>This network has no such domain.</Empty>}</Await>
    </>
  );
}
