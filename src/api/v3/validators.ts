import { addressBook } from "../../history/queries/addressBook.ts";
import { type FullComplaint, listComplaints } from "../../history/queries/validators/complaints.ts";
import { type FullCycle, listCycles } from "../../history/queries/validators/cycles.ts";
import { type FullElection, listElections } from "../../history/queries/validators/elections.ts";
import { listStakeEvents } from "../../history/queries/validators/events.ts";
import type { ValidatorRow } from "../../history/store/schema/validatorTables.ts";
import { list, shape } from "../../lib/kit/shape.ts";
import { arg } from "../declare/argument.ts";
import { noProof } from "../declare/proof.ts";
import { boolArg, momentArg, orElseArg, textArg } from "./args/args.ts";
import { readValidatorArgs, validatorArgs } from "./args/validatorArgs.ts";
import { indexEndpoint } from "./declare.ts";
import { onHistory } from "./onHistory.ts";
import { allIndexed, by, within } from "./scope/scopeRule.ts";
import { bookFields, type ItemsWithBook, itemsOf, type WithBook } from "./shapes/book.ts";
import {
  type AskedTimes,
  askedTimeFields,
  validatorComplaint,
  validatorCycle,
  validatorElection,
  validatorEvent,
} from "./shapes/validators.ts";

const electionArg = arg("Only the election with this id: the time at which its validators were to begin.", momentArg);
const cycleArg = arg("Only the cycle that begins at this time, in Unix seconds.", momentArg);

interface EventsAnswer extends WithBook, AskedTimes {
  readonly events: readonly ValidatorRow<"events">[];
}

export const validatorEvents = indexEndpoint({
  name: "validators/events",
  proof: noProof("the index derives it; transactions with account proves the transactions of the elector"),
  tag: "validators",
  scope: within([by.account("stake_holder_address"), by.never("adnl_address"), by.never("validator_pubkey")]),
  summary: "Stakes that the elector accepted, rejected and gave back.",
  description:
    "Requests for a stake (`recover_requested`) and refusals of them (`recover_failed`) are listed only by their `type`.",
  args: { ...validatorArgs, type: arg("Only events of this type.", textArg) },
  result: shape<EventsAnswer>()({
    ...askedTimeFields,
    events: list(validatorEvent)("Events that match, in the requested order.", (answer) => answer.events),
    ...bookFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const { filter, sort } = readValidatorArgs(args);
    const events = items(await listStakeEvents(reading, { ...filter, type: args.type }, page(args), sort));
    const book = await addressBook(
      reading,
      events.map(({ stakeHolder }) => stakeHolder),
    );
    return { events, startUtime: args.start_utime, endUtime: args.end_utime, book };
  }),
});

export const validatorElections = indexEndpoint({
  name: "validators/elections",
  proof: noProof("the index has it; runGetMethod with participant_list_extended proves the running election"),
  tag: "validators",
  scope: allIndexed,
  summary: "Elections of validators, with their participants on request.",
  description:
    "Times are compared with the ids of elections. Filters by participant keep elections in which one took part.",
  args: {
    election_id: electionArg,
    ...validatorArgs,
    return_participants: arg(
      "Add the participants that match; `limit` is then at most 100.",
      orElseArg(boolArg, false),
    ),
    finished: arg("`true`: only elections that elected validators; `false`: only others.", boolArg),
  },
  result: shape<ItemsWithBook<FullElection>>()({
    elections: itemsOf(validatorElection, "Elections that match, in the requested order."),
    ...bookFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const withParticipants = args.return_participants;
    const { filter, sort } = readValidatorArgs(args, withParticipants ? "return_participants" : undefined);
    const wanted = { ...filter, electionId: args.election_id, finished: args.finished };
    const elections = items(await listElections(reading, wanted, page(args), { sort, withParticipants }));
    const holders = elections.flatMap(({ participants }) => participants.map(({ row }) => row.stakeHolder));
    return { items: elections, book: await addressBook(reading, [filter.holder, ...holders]) };
  }),
});

const accountsOf = ({ holder, row }: FullComplaint) => [holder, row.rewardAddress];

export const validatorCycles = indexEndpoint({
  name: "validators/cycles",
  proof: noProof("the index has it; getConfigParam of v2 proves the validators of a block"),
  tag: "validators",
  scope: allIndexed,
  summary: "Periods of validator sets, with their members on request.",
  description:
    "Times are compared with the beginnings of cycles. Filters by validator keep cycles in which one validated.",
  args: {
    cycle_start: cycleArg,
    election_id: electionArg,
    ...validatorArgs,
    return_validators: arg("Add the validators that match; `limit` is then at most 100.", orElseArg(boolArg, false)),
  },
  result: shape<ItemsWithBook<FullCycle>>()({
    cycles: itemsOf(validatorCycle, "Cycles that match, in the requested order."),
    ...bookFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const withMembers = args.return_validators;
    const { filter, sort } = readValidatorArgs(args, withMembers ? "return_validators" : undefined);
    const wanted = { ...filter, cycleStart: args.cycle_start, electionId: args.election_id };
    const cycles = items(await listCycles(reading, wanted, page(args), { sort, withMembers }));
    const involved = cycles.flatMap(({ members }) =>
      members.flatMap(({ holder, complaints }) => [holder, ...complaints.flatMap(accountsOf)]),
    );
    return { items: cycles, book: await addressBook(reading, [filter.holder, ...involved]) };
  }),
});

export const validatorComplaints = indexEndpoint({
  name: "validators/complaints",
  proof: noProof("the index has it; runGetMethod with list_complaints proves those of an election"),
  tag: "validators",
  scope: allIndexed,
  summary: "Complaints about validators, with the votes on them.",
  description: "Times are compared with the times of the complaints.",
  args: { cycle_start: cycleArg, election_id: electionArg, ...validatorArgs },
  result: shape<ItemsWithBook<FullComplaint>>()({
    complaints: itemsOf(validatorComplaint, "Complaints that match, in the requested order."),
    ...bookFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const { filter, sort } = readValidatorArgs(args);
    const wanted = { ...filter, cycleStart: args.cycle_start, electionId: args.election_id };
    const complaints = items(await listComplaints(reading, wanted, page(args), sort));
    return { items: complaints, book: await addressBook(reading, [filter.holder, ...complaints.flatMap(accountsOf)]) };
  }),
});
