import { HistoryError } from "../../../errors.ts";
import type { TableLayout } from "../../Database.ts";
import type { PostgresSession } from "./PostgresSession.ts";

type Session = Pick<PostgresSession, "query">;

/** Since this version all machines read with the isolation level of the coordinator. */
const oldestCitus = [12, 1] as const;

/** Whether this PostgreSQL is the coordinator of a Citus cluster, whose tables are distributed. */
export async function findLayout(session: Session): Promise<TableLayout> {
  const [extension] = await session.query("select extversion from pg_extension where extname = 'citus'");
  if (extension === undefined) return "single";
  refuseOld(String(extension.extversion));
  const [row] = await session.query(
    `select (select count(*) from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary') as holders,
       citus_is_coordinator() as is_coordinator`,
  );
  // The extension alone makes no cluster.
  if (Number(row?.holders ?? 0) === 0) return "single";
  if (row?.is_coordinator === true) return "distributed";
  throw new HistoryError(
    "history/cluster",
    "this PostgreSQL is a worker of a Citus cluster; connect to its coordinator",
  );
}

function refuseOld(version: string): void {
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number);
  const [oldestMajor, oldestMinor] = oldestCitus;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new HistoryError(
    "history/cluster",
    `Citus ${version} is too old; the index needs ${oldestCitus.join(".")} or newer`,
  );
}
