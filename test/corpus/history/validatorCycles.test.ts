import { expect, it } from "vitest";
import { describeCorpusPart, readBytes, readFormat } from "../../../kit/suite/corpus.ts";
import { validatorCycle } from "../../../src/api/v3/shapes/validators.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { readElectorState } from "../../../src/contracts/families/elections/ElectorState.ts";
import {
  findElectionOf,
  makeCycleRow,
  makeMemberRows,
} from "../../../src/history/ingest/decode/elections/electionRows.ts";
import { listSets } from "../../../src/history/ingest/decode/elections/validatorSets.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { listCycles } from "../../../src/history/queries/validators/cycles.ts";
import { validatorTables } from "../../../src/history/store/schema/validatorTables.ts";
import { configFromRoot } from "../../../src/model/config/ConfigParams.ts";
import { electorState, type RecordedElector } from "../../kit/contracts/electorState.ts";
import { openFresh } from "../../kit/history/database.ts";
import { loadRows } from "../../kit/history/loadRows.ts";

interface RecordedCycle {
  readonly config: string;
  readonly config_param: number;
  readonly expected: { readonly cycle_start: number; readonly election_id: number };
}

const parts = ["staking/elector-states.json", "staking/cycle-*.json", "replays/shared-inputs/"];

describeCorpusPart("recorded validator cycles", parts, (folder) => {
  it("are answered with the stakes that the elector holds", async () => {
    const states = readFormat(folder, "staking", "elector-states/1").flatMap(({ states: list }) => Object(list));
    const electors = (states as readonly RecordedElector[]).map((state) =>
      readElectorState(electorState(folder, state)),
    );
    const cycles = readFormat(folder, "staking", "validator-cycle/1") as unknown as readonly RecordedCycle[];
    expect(cycles.length).toBeGreaterThan(0);
    const database = await openFresh("postgres");
    const history = new History(contractHistory, { database });
    try {
      for (const { config: path, config_param: param, expected } of cycles) {
        const config = configFromRoot(readRoot(readBytes(folder, path)));
        const set = listSets(config).find((each) => each.param === param);
        if (set === undefined) throw new Error(`${path} has no set ${param}`);
        const election = electors.map((elector) => elector && findElectionOf(elector, set)).find((each) => each);
        await database.write(async (session) => {
          await loadRows(session, validatorTables.cycles, [makeCycleRow(set, election, config, 1)]);
          await loadRows(session, validatorTables.members, makeMemberRows(set, election?.[1]));
        });
        const filter = { cycleStart: expected.cycle_start };
        const page = { limit: 1, offset: 0 };
        const { items } = await history.read({}, (reading) =>
          listCycles(reading, filter, page, { sort: "desc", withMembers: true }),
        );
        expect(items.map((item) => JSON.parse(JSON.stringify(validatorCycle.encode(item))))).toEqual([expected]);
      }
    } finally {
      await database.close();
    }
  });
});
