import type { Page } from "../../../../src/history/queries/kit/Page.ts";
import {
  type ComplaintFilter,
  complaintsOfSql,
  complaintsSql,
} from "../../../../src/history/queries/validators/complaints.ts";
import {
  type CycleFilter,
  cycleMembersSql,
  cycleStakesSql,
  cyclesSql,
} from "../../../../src/history/queries/validators/cycles.ts";
import {
  type ElectionFilter,
  electionsSql,
  participantCountsSql,
  participantsSql,
} from "../../../../src/history/queries/validators/elections.ts";
import { type StakeEventFilter, stakeEventsSql } from "../../../../src/history/queries/validators/events.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import type { PlanCases } from "../../../kit/history/explain.ts";

const page: Page = { limit: 10, offset: 5 };
const holder = makeAddress(-1, sameDigits("1"));
const [key, adnlAddress] = [sameDigits("2"), sameDigits("3")];
const times = { startUtime: 5, endUtime: 9 };

/** Statements about stakes, elections and validator sets. */
export function validatorPlans(): PlanCases {
  const events = (filter: StakeEventFilter, sort: "asc" | "desc" = "desc") => stakeEventsSql(filter, page, sort);
  const elections = (filter: ElectionFilter, sort: "asc" | "desc" = "desc") => electionsSql(filter, page, sort);
  const cycles = (filter: CycleFilter) => cyclesSql(filter, page, "desc");
  const complaints = (filter: ComplaintFilter, sort: "asc" | "desc" = "desc") => complaintsSql(filter, page, sort);
  return {
    // Rows of three types, each in order, are merged: the sort is of three pages.
    stakeEventsSql: {
      all: { statement: events({}), sorts: true, by: "validator_events_by_time" },
      "of a type": { statement: events({ type: "recover_failed" }), by: "validator_events_by_time" },
      "of a type and a time": {
        statement: events({ type: "stake_accepted", ...times }, "asc"),
        by: "validator_events_by_time",
      },
      "of a holder": { statement: events({ holder }), sorts: true, by: "validator_events_by_holder" },
      "of a holder and a type": {
        statement: events({ holder, type: "stake_recovered" }),
        by: "validator_events_by_holder",
      },
      "of a key": { statement: events({ key, ...times }), sorts: true, by: "validator_events_by_key" },
      "of an ADNL address": { statement: events({ adnlAddress }), sorts: true, by: "validator_events_by_adnl" },
      "of a key and a holder": {
        statement: events({ key, holder, type: "stake_accepted" }),
        by: "validator_events_by_holder",
      },
    },
    electionsSql: {
      all: { statement: elections({}), walks: true },
      "of an id": { statement: elections({ electionId: 7 }) },
      "of a time": { statement: elections(times, "asc") },
      finished: { statement: elections({ finished: true }), by: "validator_elections_by_end" },
      "of a key": { statement: elections({ key }), sorts: true, by: "validator_participants_by_key" },
      "of a holder": { statement: elections({ holder }), sorts: true, by: "validator_participants_by_holder" },
      "of an ADNL address": {
        statement: elections({ adnlAddress }),
        sorts: true,
        by: "validator_participants_by_adnl",
      },
    },
    participantCountsSql: { "of elections": { statement: participantCountsSql([5, 6]) } },
    participantsSql: {
      "of elections": { statement: participantsSql([5, 6], {}), sorts: true },
      "of elections and a key": { statement: participantsSql([5, 6], { key }), sorts: true },
    },
    cyclesSql: {
      all: { statement: cycles({}), walks: true },
      "of a time": { statement: cycles(times) },
      "of an election": { statement: cycles({ electionId: 5 }), sorts: true, by: "validator_cycles_by_election" },
      "of a beginning": { statement: cycles({ cycleStart: 5 }) },
      "of a key": { statement: cycles({ key }), sorts: true, by: "validator_members_by_key" },
      "of an ADNL address": { statement: cycles({ adnlAddress }), sorts: true, by: "validator_members_by_adnl" },
      "of a holder": { statement: cycles({ holder }), sorts: true, by: "validator_members_by_holder" },
      "of a holder and a key": { statement: cycles({ holder, key }), sorts: true, by: "validator_members_by_key" },
    },
    cycleStakesSql: { "of cycles": { statement: cycleStakesSql([5, 6]), sorts: true } },
    cycleMembersSql: {
      "of cycles": { statement: cycleMembersSql([5, 6], {}), sorts: true },
      "of cycles and a holder": { statement: cycleMembersSql([5, 6], { holder }), sorts: true },
    },
    complaintsSql: {
      all: { statement: complaints({}), walks: true, by: "validator_complaints_newest" },
      "the oldest first": { statement: complaints({}, "asc"), walks: true },
      "of a time": { statement: complaints(times) },
      "of an election": { statement: complaints({ electionId: 5 }), sorts: true },
      "of a cycle": { statement: complaints({ cycleStart: 5 }), sorts: true },
      "of a key": { statement: complaints({ key }), sorts: true, by: "validator_complaints_by_key" },
      "of an ADNL address": { statement: complaints({ adnlAddress }), sorts: true, by: "validator_complaints_by_key" },
      "of a holder": { statement: complaints({ holder }), sorts: true, by: "validator_complaints_by_key" },
    },
    complaintsOfSql: { "of cycles": { statement: complaintsOfSql([5, 6]), sorts: true } },
  };
}
