import type { History } from "../../history/queries/History.ts";

/** What the endpoints of v3 are answered from. */
export interface V3Services {
  readonly history: History;
}
