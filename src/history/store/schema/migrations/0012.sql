-- What transactions show of stakes in the elector: at most one event each.
create table validator_events (
  tx_hash bytea not null primary key,
  tx_lt bigint not null,
  utime bigint not null,
  mc_seqno int not null,
  type text not null,
  stake_holder bytea not null,
  validator_key bytea,
  adnl_address bytea,
  election_id bigint,
  query_id numeric not null,
  amount numeric not null,
  reason int
);
-- The type comes first in every list: requests that fail, which anybody can make, are rarely asked for.
create index validator_events_by_time on validator_events (type, utime, tx_lt, tx_hash);
create index validator_events_by_holder on validator_events (stake_holder, type, utime, tx_lt, tx_hash);
create index validator_events_by_key on validator_events (validator_key, type, utime, tx_lt, tx_hash)
  where validator_key is not null;
create index validator_events_by_adnl on validator_events (adnl_address, type, utime, tx_lt, tx_hash)
  where adnl_address is not null;
create index validator_events_by_block on validator_events (mc_seqno);

-- Elections as the elector had them last, and who took part.
create table validator_elections (
  election_id bigint not null primary key,
  elect_close bigint not null,
  min_stake numeric not null,
  total_stake numeric not null,
  failed boolean not null,
  finished boolean not null,
  mc_seqno int not null
);
create index validator_elections_by_end on validator_elections (finished, election_id);

create table validator_participants (
  election_id bigint not null,
  validator_key bytea not null,
  stake_holder bytea not null,
  stake numeric not null,
  max_factor bigint not null,
  adnl_address bytea not null,
  mc_seqno int not null,
  primary key (election_id, validator_key, stake_holder)
);
create index validator_participants_newest
  on validator_participants (election_id, validator_key, mc_seqno desc, stake_holder);
create index validator_participants_by_key on validator_participants (validator_key, election_id);
create index validator_participants_by_holder on validator_participants (stake_holder, election_id);
create index validator_participants_by_adnl on validator_participants (adnl_address, election_id);

-- Validator sets by the time at which they begin, with the configuration of the last key block that had them.
create table validator_cycles (
  cycle_start bigint not null primary key,
  cycle_end bigint not null,
  set_hash bytea not null,
  total int not null,
  main int not null,
  total_weight numeric not null,
  election_id bigint,
  election_seqno int,
  total_stake numeric,
  validators_elected_for bigint not null,
  elections_start_before bigint not null,
  elections_end_before bigint not null,
  stake_held_for bigint not null,
  max_validators int not null,
  max_main_validators int not null,
  min_validators int not null,
  min_stake_limit numeric not null,
  max_stake_limit numeric not null,
  min_total_stake numeric not null,
  max_stake_factor bigint not null,
  mc_seqno int not null
);
create index validator_cycles_by_election on validator_cycles (election_id) where election_id is not null;
create index validator_cycles_by_set on validator_cycles (set_hash);

create table validator_members (
  set_hash bytea not null,
  validator_index int not null,
  validator_key bytea not null,
  adnl_address bytea not null,
  weight numeric not null,
  stake numeric,
  stake_holder bytea,
  primary key (set_hash, validator_index)
);
create index validator_members_by_set_key on validator_members (set_hash, validator_key);
create index validator_members_by_key on validator_members (validator_key);
create index validator_members_by_adnl on validator_members (adnl_address);
create index validator_members_by_holder on validator_members (stake_holder) where stake_holder is not null;

create table validator_complaints (
  election_id bigint not null,
  complaint_hash bytea not null,
  created_at bigint not null,
  severity int not null,
  validator_key bytea not null,
  description_boc bytea not null,
  reward_address bytea not null,
  paid numeric not null,
  suggested_fine numeric not null,
  suggested_fine_part bigint not null,
  voting_set_hash bytea not null,
  voters jsonb not null,
  weight_remaining numeric not null,
  approved_percent double precision not null,
  is_passed boolean not null,
  mc_seqno int not null,
  primary key (election_id, complaint_hash)
);
create index validator_complaints_by_time on validator_complaints (created_at, complaint_hash, election_id);
create index validator_complaints_newest on validator_complaints (created_at desc, complaint_hash, election_id);
create index validator_complaints_by_key on validator_complaints (validator_key);

-- The ranges of blocks that were indexed before there were these tables, each as its first and next block.
insert into index_facts (name, value)
  select 'validators_missing', string_agg(first_seqno || '-' || next_seqno, ',' order by first_seqno)
  from segments where first_seqno < next_seqno having count(*) > 0;
