-- Auctions of domains, as the items report them. Rows of older versions gain them with the next transaction of the item.
alter table dns_entries
  add column max_bid_address bytea,
  add column max_bid_amount numeric,
  add column auction_end_time bigint,
  add column last_fill_up_time bigint;
create index dns_entries_by_bidder on dns_entries (max_bid_address, auction_end_time, nft_item_address)
  where max_bid_address is not null;

-- Nominator pools in their newest states. The three lists have one entry for each nominator, in the order of addresses.
create table nominator_pools (
  address bytea primary key,
  state int not null,
  stake_amount_sent numeric not null,
  validator_amount numeric not null,
  validator_address bytea not null,
  validator_reward_share int not null,
  nominators_count int not null,
  max_nominators_count int not null,
  min_validator_stake numeric not null,
  min_nominator_stake numeric not null,
  nominators bytea[] not null,
  balances numeric[] not null,
  pending_balances numeric[] not null,
  code_hash bytea not null,
  data_hash bytea not null,
  last_transaction_lt bigint not null
);
create index nominator_pools_by_nominator on nominator_pools using gin (nominators);

-- What transactions of pools changed for nominators.
create table nominator_pool_events (
  pool_address bytea not null,
  tx_lt bigint not null,
  event_index int not null,
  tx_hash bytea not null,
  utime bigint not null,
  mc_seqno int not null,
  nominator_address bytea not null,
  type text not null,
  amount numeric not null,
  balance_delta numeric not null,
  pending_balance_delta numeric not null,
  balance_before numeric not null,
  balance_after numeric not null,
  pending_balance_before numeric not null,
  pending_balance_after numeric not null,
  withdraw_request_before boolean not null,
  withdraw_request_after boolean not null,
  primary key (pool_address, tx_lt, event_index)
);
create index nominator_pool_events_by_pool on nominator_pool_events (pool_address, utime, tx_lt, event_index);
create index nominator_pool_events_by_nominator
  on nominator_pool_events (nominator_address, pool_address, utime, tx_lt, event_index);
create index nominator_pool_events_of_rewards
  on nominator_pool_events (nominator_address, pool_address, utime, tx_lt, event_index) where type = 'reward';
create index nominator_pool_events_by_block on nominator_pool_events (mc_seqno);

-- What transactions of pools changed for their validators.
create table pool_validator_events (
  pool_address bytea not null,
  tx_lt bigint not null,
  tx_hash bytea not null,
  utime bigint not null,
  mc_seqno int not null,
  validator_address bytea not null,
  type text not null,
  balance_before numeric not null,
  balance_after numeric not null,
  query_id numeric,
  cycle_start bigint,
  validator_reward_share int not null,
  primary key (pool_address, tx_lt)
);
create index pool_validator_events_by_pool on pool_validator_events (pool_address, utime, tx_lt);
create index pool_validator_events_by_pool_type on pool_validator_events (pool_address, type, utime, tx_lt);
create index pool_validator_events_by_validator
  on pool_validator_events (validator_address, utime, tx_lt, pool_address);
create index pool_validator_events_by_validator_type
  on pool_validator_events (validator_address, type, utime, tx_lt, pool_address);
create index pool_validator_events_by_block on pool_validator_events (mc_seqno);

-- The ranges of blocks that were indexed before there were these tables, each as its first and next block.
insert into index_facts (name, value)
  select 'pools_missing', string_agg(first_seqno || '-' || next_seqno, ',' order by first_seqno)
  from segments where first_seqno < next_seqno having count(*) > 0;
