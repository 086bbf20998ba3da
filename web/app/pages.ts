import type { ComponentType } from "preact";
import { Home } from "../pages/Home.tsx";
import type { PageProps } from "../pages/PageProps.ts";

export type PageComponent = ComponentType<PageProps>;

const pages: Readonly<Record<string, () => Promise<PageComponent>>> = {
  list: () => import("../pages/Lists.tsx").then(({ Lists }) => Lists),
  search: () => import("../pages/Search.tsx").then(({ Search }) => Search),
  domain: () => import("../pages/search/Domain.tsx").then(({ Domain }) => Domain),
  address: () => import("../pages/Account.tsx").then(({ Account }) => Account),
  tx: () => import("../pages/Transaction.tsx").then(({ Transaction }) => Transaction),
  trace: () => import("../pages/Trace.tsx").then(({ Trace }) => Trace),
  block: () => import("../pages/Block.tsx").then(({ Block }) => Block),
  config: () => import("../pages/Config.tsx").then(({ Config }) => Config),
  jetton: () => import("../pages/Jetton.tsx").then(({ Jetton }) => Jetton),
  nft: () => import("../pages/Nft.tsx").then(({ Nft }) => Nft),
  cell: () => import("../pages/CellInspector.tsx").then(({ CellInspector }) => CellInspector),
  emulate: () => import("../pages/Emulate.tsx").then(({ Emulate }) => Emulate),
  status: () => import("../pages/Status.tsx").then(({ Status }) => Status),
  local: () => import("../pages/Local.tsx").then(({ Local }) => Local),
};

const loaded = new Map<string, PageComponent>([["home", Home]]);

/** The page, if its code is already loaded. */
export function findLoaded(name: string): PageComponent | undefined {
  return loaded.get(name);
}

/** Loads the code of a page. */
export async function loadPage(name: string): Promise<PageComponent> {
  const load = pages[name];
  if (load === undefined) throw new Error(`there is no page ${name}`);
  const page = await load();
  loaded.set(name, page);
  return page;
}
