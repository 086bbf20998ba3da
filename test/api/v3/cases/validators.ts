import { bookOf } from "../../../kit/api/v3/tokenAnswers.ts";
import { raw } from "../../../kit/api/v3/v3Stage.ts";
import {
  adnls,
  complaintHashes,
  cycleStarts,
  describedBy,
  elections,
  holders,
  keys,
  sets,
  validatorRows,
} from "../../../kit/history/validatorRows.ts";
import { type GivenArgs, gives, lists, pageRefusals, refuses, sortRefusal, type V3Case } from "./V3Case.ts";

const base64 = (hash: string) => Buffer.from(hash, "hex").toString("base64");
const upper = (hash: string) => hash.toUpperCase();
const zeros = "0".repeat(64);

const listEvents = (note: string, args: GivenArgs, ...lts: readonly number[]) =>
  lists(note, args, "events", "tx_lt", () => lts.map((lt) => String(500 + lt)));
const listElections = (note: string, args: GivenArgs, ...ids: readonly number[]) =>
  lists(note, args, "elections", "election_id", () => ids);
/** Without the cycle of the recorded chain. */
const listCycles = (note: string, args: GivenArgs, ...starts: readonly number[]) =>
  lists(note, { end_utime: 2_000_000, ...args }, "cycles", "cycle_start", () => starts);
const listComplaints = (note: string, args: GivenArgs, ...hashes: readonly (keyof typeof complaintHashes)[]) =>
  lists(note, args, "complaints", "complaint_hash", () => hashes.map((each) => base64(complaintHashes[each])));

const badKey = (name: string) => `${name} must be a 32-byte value in hex, base64 or base64url format`;

/** The checks of the contract in their order: each request is wrong in all later ways, too. */
function checkOrder(embedded: string | undefined): readonly V3Case[] {
  const steps: readonly (readonly [note: string, args: GivenArgs, error: string])[] = [
    ["a sort and a limit", { sort: "up", limit: 1001 }, "wrong value for sort parameter"],
    [
      "times in the wrong order",
      { start_utime: 2, end_utime: 1 },
      "start_utime must be less than or equal to end_utime",
    ],
    ...(embedded === undefined
      ? []
      : [
          [
            "too many embedded lists",
            { [embedded]: "1", limit: 101 },
            `limit must not exceed 100 when ${embedded} is true`,
          ] as const,
        ]),
    ["no public key", { validator_pubkey: "abc" }, badKey("validator_pubkey")],
    ["no ADNL address", { adnl_address: "abc" }, badKey("adnl_address")],
    [
      "a holder and an ADNL address",
      { stake_holder_address: holders.one },
      "provide either stake_holder_address or adnl_address, not both",
    ],
    ["a value that cannot be read", { offset: "x" }, 'schema: error converting value for "offset"'],
  ];
  let args: GivenArgs = {};
  return steps.map(([note, wrong, error]) => {
    args = { ...args, ...wrong };
    return refuses(note, args, 422, error);
  });
}

const whole = validatorRows.events[1];
const rejected = {
  tx_hash: base64(whole.txHash),
  tx_lt: "502",
  utime: 1_000_002,
  type: "stake_rejected",
  stake_holder_address: raw(holders.two),
  validator_pubkey: upper(keys.two),
  adnl_addr: upper(adnls.two),
  election_id: elections.first,
  query_id: "2",
  amount: "2000000000",
  reason: 5,
};
const recovered = {
  tx_hash: base64(validatorRows.events[3].txHash),
  tx_lt: "504",
  utime: 1_000_004,
  type: "stake_recovered",
  stake_holder_address: raw(holders.one),
  query_id: "4",
  amount: "4000000000",
};

const firstElection = {
  election_id: elections.first,
  elect_close: 991_808,
  min_stake: "300",
  total_stake: "900",
  total_participants: 3,
  failed: false,
  finished: true,
};
const participantOf = (of: "one" | "two" | "three", stake: string, index?: number) => ({
  validator_pubkey: upper(keys[of]),
  ...(index !== undefined && { validator_index: index }),
  stake,
  max_factor: 196_608,
  stake_holder_address: raw(holders[of]),
  adnl_addr: upper(adnls[of]),
});

const configured = {
  validators_elected_for: 65_536,
  elections_start_before: 32_768,
  elections_end_before: 8_192,
  stake_held_for: 32_768,
  max_validators: 400,
  max_main_validators: 100,
  min_validators: 75,
  min_stake_limit: "300",
  max_stake_limit: "10000",
  min_total_stake: "75000",
  max_stake_factor: 196_608,
};

const aboutFirst = {
  cycle_start: cycleStarts.first,
  election_id: elections.first,
  severity: 3,
  description_boc: Buffer.from(describedBy).toString("base64"),
  reward_address: raw(holders.judge),
  paid: "20",
  suggested_fine: "40",
  suggested_fine_part: 4_294_967_295,
};
const openComplaint = {
  ...aboutFirst,
  complaint_hash: base64(complaintHashes.open),
  created_at: 1_010_000,
  validator_pubkey: upper(keys.one),
  adnl_addr: upper(adnls.one),
  stake_holder_address: raw(holders.one),
  vset_id: base64(zeros),
  voted_validators: [],
  weight_remaining: "60",
  approved_percent: 0,
  is_passed: false,
};
const passedComplaint = {
  ...aboutFirst,
  complaint_hash: base64(complaintHashes.passed),
  created_at: 1_020_000,
  validator_pubkey: upper(keys.three),
  // Not a member, but it took part in the election.
  adnl_addr: null,
  stake_holder_address: raw(holders.three),
  vset_id: base64(sets.first),
  voted_validators: [
    { validator_index: 0, validator_pubkey: upper(keys.two), adnl_addr: upper(adnls.two), weight: "50" },
    { validator_index: 7 },
  ],
  weight_remaining: "-30",
  approved_percent: 100,
  is_passed: true,
};

const firstCycle = {
  election_id: elections.first,
  cycle_start: cycleStarts.first,
  cycle_end: 1_065_536,
  total: 2,
  main: 1,
  total_weight: "90",
  total_stake: "700",
  min_stake: "300",
  max_stake: "400",
  ...configured,
};
const secondCycle = {
  cycle_start: cycleStarts.second,
  cycle_end: 1_131_072,
  total: 2,
  main: 2,
  total_weight: "2",
  ...configured,
};

/** Cases of requests about elections and validators. */
export const validatorCases = {
  "validators/events": [
    gives(
      "events whole, with the times of the request",
      { start_utime: 1_000_002, end_utime: 1_000_004 },
      {
        start_utime: 1_000_002,
        end_utime: 1_000_004,
        events: [recovered, rejected],
        address_book: bookOf(holders.two, holders.one),
      },
    ),
    listEvents("without those of requests, the newest first", {}, 6, 4, 2, 1),
    listEvents("the oldest first", { sort: "asc" }, 1, 2, 4, 6),
    listEvents("a part", { limit: 2, offset: 1 }, 4, 2),
    listEvents("of a type", { type: "stake_accepted" }, 6, 1),
    listEvents("requests by their type", { type: "recover_requested" }, 3),
    listEvents("refused requests by their type", { type: "recover_failed" }, 5),
    listEvents("of an unknown type", { type: "stake_lost" }),
    listEvents("of a holder", { stake_holder_address: holders.one }, 4, 1),
    listEvents("of a holder and of a type", { stake_holder_address: holders.one, type: "stake_recovered" }, 4),
    listEvents("of a public key", { validator_pubkey: keys.two }, 2),
    listEvents("of a public key and a holder", { validator_pubkey: keys.two, stake_holder_address: holders.one }),
    listEvents("of an ADNL address in hex with a prefix", { adnl_address: `0x${upper(adnls.three)}` }, 6),
    listEvents("of an ADNL address in base64", { adnl_address: base64(adnls.one) }, 1),
    listEvents(
      "of an ADNL address in base64url without padding",
      {
        adnl_address: Buffer.from(adnls.one, "hex").toString("base64url"),
      },
      1,
    ),
    listEvents("at one moment", { start_utime: 1_000_006, end_utime: 1_000_006 }, 6),
    ...checkOrder(undefined),
    ...pageRefusals(),
    sortRefusal(),
  ],
  "validators/elections": [
    gives("an election whole", { election_id: elections.first }, { elections: [firstElection], address_book: {} }),
    gives(
      "with all participants, the largest stake first and then by public key",
      { election_id: elections.first, return_participants: "true" },
      {
        elections: [
          {
            ...firstElection,
            participants: [
              participantOf("two", "400", 0),
              participantOf("three", "400"),
              participantOf("one", "300", 1),
            ],
          },
        ],
        address_book: bookOf(holders.two, holders.three, holders.one),
      },
    ),
    gives(
      "with the participants that match, and the number of all",
      { stake_holder_address: holders.one, return_participants: "true" },
      {
        elections: [{ ...firstElection, participants: [participantOf("one", "300", 1)] }],
        address_book: bookOf(holders.one),
      },
    ),
    gives(
      "without a list that is empty",
      { election_id: elections.late, return_participants: "true" },
      {
        elections: [
          {
            ...{ election_id: elections.late, elect_close: 2_999_999_000, min_stake: "300", total_stake: "0" },
            ...{ total_participants: 0, failed: false, finished: false },
          },
        ],
        address_book: {},
      },
    ),
    listElections("all, the newest first", {}, elections.late, elections.second, elections.first),
    listElections("the oldest first", { sort: "asc", limit: 2 }, elections.first, elections.second),
    listElections("finished ones", { finished: "true" }, elections.first),
    listElections("others", { finished: "false" }, elections.late, elections.second),
    listElections("of a time", { start_utime: elections.second, end_utime: elections.second }, elections.second),
    listElections("of a public key", { validator_pubkey: keys.three }, elections.second, elections.first),
    listElections("of an ADNL address", { adnl_address: adnls.two }, elections.first),
    listElections("in which no one participant meets all filters", {
      validator_pubkey: keys.one,
      adnl_address: adnls.two,
    }),
    listElections("with an unknown id", { election_id: 5 }),
    refuses("an id that is no number", { election_id: "x" }, 422, 'schema: error converting value for "election_id"'),
    ...checkOrder("return_participants"),
    ...pageRefusals(),
    sortRefusal(),
  ],
  "validators/cycles": [
    gives("a cycle whole", { cycle_start: cycleStarts.first }, { cycles: [firstCycle], address_book: {} }),
    gives(
      "with its validators and the complaints about them",
      { election_id: elections.first, return_validators: "1" },
      {
        cycles: [
          {
            ...firstCycle,
            validators: [
              {
                validator_index: 0,
                validator_pubkey: upper(keys.two),
                adnl_addr: upper(adnls.two),
                weight: "50",
                stake_holder_address: raw(holders.two),
                stake: "400",
                max_factor: 196_608,
                complaints: [],
              },
              {
                validator_index: 1,
                validator_pubkey: upper(keys.one),
                adnl_addr: upper(adnls.one),
                weight: "40",
                stake_holder_address: raw(holders.one),
                stake: "300",
                max_factor: 196_608,
                complaints: [openComplaint],
              },
            ],
          },
        ],
        address_book: bookOf(holders.two, holders.one, holders.judge),
      },
    ),
    gives(
      "without what is not known, and the holder by the elector",
      { cycle_start: cycleStarts.second, return_validators: "1" },
      {
        cycles: [
          {
            ...secondCycle,
            validators: [
              {
                validator_index: 0,
                validator_pubkey: upper(keys.one),
                adnl_addr: zeros,
                weight: "1",
                stake_holder_address: raw(holders.one),
                stake: "250",
                complaints: [],
              },
              {
                validator_index: 1,
                validator_pubkey: upper(keys.three),
                adnl_addr: upper(adnls.three),
                weight: "1",
                complaints: [],
              },
            ],
          },
        ],
        address_book: bookOf(holders.one),
      },
    ),
    listCycles("the newest first", {}, cycleStarts.second, cycleStarts.first),
    listCycles("the oldest first", { sort: "asc" }, cycleStarts.first, cycleStarts.second),
    listCycles("of a time", { start_utime: cycleStarts.second }, cycleStarts.second),
    listCycles("of a holder", { stake_holder_address: holders.one }, cycleStarts.second, cycleStarts.first),
    listCycles("of a holder that was not elected", { stake_holder_address: holders.three }),
    listCycles(
      "of a holder and a public key",
      {
        stake_holder_address: holders.two,
        validator_pubkey: keys.two,
      },
      cycleStarts.first,
    ),
    listCycles("of a public key", { validator_pubkey: keys.three }, cycleStarts.second),
    listCycles("of an ADNL address", { adnl_address: adnls.one }, cycleStarts.first),
    ...checkOrder("return_validators"),
    ...pageRefusals(),
    sortRefusal(),
  ],
  "validators/complaints": [
    gives(
      "complaints whole, about cycles that are known",
      {},
      {
        complaints: [passedComplaint, openComplaint],
        address_book: bookOf(holders.three, holders.judge, holders.one),
      },
    ),
    gives(
      "of a holder, with the holder in the book",
      { stake_holder_address: holders.one },
      { complaints: [openComplaint], address_book: bookOf(holders.one, holders.judge) },
    ),
    listComplaints("the oldest first", { sort: "asc" }, "open", "passed"),
    listComplaints("about a cycle", { cycle_start: cycleStarts.first, limit: 1 }, "passed"),
    listComplaints("about an election", { election_id: elections.first, offset: 1 }, "open"),
    listComplaints("about an election whose cycle is not known", { election_id: elections.late }),
    listComplaints("about a public key", { validator_pubkey: keys.three }, "passed"),
    listComplaints("about an ADNL address", { adnl_address: adnls.one }, "open"),
    listComplaints("of a time", { start_utime: 1_010_000, end_utime: 1_019_999 }, "open"),
    ...checkOrder(undefined),
    ...pageRefusals(),
    sortRefusal(),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;
