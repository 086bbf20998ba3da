-- Hashes are bytea of 32 bytes. Accounts are bytea: the workchain as one byte with its sign bit flipped, then the 32
-- bytes of the address, so that byte order is the order of (workchain, address).
-- Tables that grow with the chain are partitioned by logical time. Every unique key contains the column by which the
-- table is distributed over several machines, and the one by which it is partitioned.
-- Indexes are as narrow as they can be: hashes are looked up by hash indexes, and where an index gives an order, only the
-- columns before the tie are in it; the few rows of a tie are sorted.

create table index_facts (
  name text primary key,
  value text not null
);

-- A stretch of masterchain blocks indexed without a gap: first_seqno up to, not including, next_seqno.
create table segments (
  first_seqno int primary key,
  next_seqno int not null
);

-- Ranges of masterchain blocks that processes are indexing. A holder that stops updating beat_at loses its range; the next one
-- has another epoch, so that a commit of the former holder is refused. Times are milliseconds of the database's clock.
create table ingest_leases (
  first_seqno int primary key,
  last_seqno int,
  kind text not null,
  holder text not null,
  epoch bigint not null,
  taken_at bigint not null,
  beat_at bigint not null,
  blocks_per_second double precision not null,
  transactions_per_second double precision not null,
  unique (first_seqno, epoch)
);
-- No two leases ever have the same epoch.
create sequence ingest_epochs;

create table blocks (
  workchain int not null,
  shard bigint not null,
  seqno int not null,
  root_hash bytea not null,
  file_hash bytea not null,
  mc_block_seqno int not null,
  global_id int not null,
  version int not null,
  after_merge boolean not null,
  before_split boolean not null,
  after_split boolean not null,
  want_merge boolean not null,
  want_split boolean not null,
  key_block boolean not null,
  vert_seqno_incr boolean not null,
  flags int not null,
  gen_utime bigint not null,
  start_lt bigint not null,
  end_lt bigint not null,
  validator_list_hash_short int not null,
  gen_catchain_seqno bigint not null,
  min_ref_mc_seqno bigint not null,
  prev_key_block_seqno bigint not null,
  vert_seqno bigint not null,
  master_ref_seqno bigint not null,
  rand_seed bytea not null,
  created_by bytea not null,
  tx_count int not null,
  prev_blocks jsonb not null,
  primary key (workchain, shard, seqno)
);
create index blocks_by_mc on blocks (mc_block_seqno, workchain, shard, seqno);
create index blocks_by_time on blocks (gen_utime, workchain, shard, seqno);
create index blocks_by_lt on blocks (start_lt);
create index blocks_by_seqno on blocks (seqno, workchain, shard);
create index blocks_by_root_hash on blocks (root_hash);
create index blocks_by_file_hash on blocks (file_hash);

create table shard_state (
  mc_seqno int not null,
  workchain int not null,
  shard bigint not null,
  seqno int not null,
  primary key (mc_seqno, workchain, shard, seqno)
);

-- description is the bag of the description's own cell: all phases, exactly.
create table transactions (
  account bytea not null,
  lt bigint not null,
  hash bytea not null,
  block_workchain int not null,
  block_shard bigint not null,
  block_seqno int not null,
  mc_block_seqno int not null,
  trace_id bytea not null,
  prev_trans_hash bytea not null,
  prev_trans_lt bigint not null,
  now bigint not null,
  orig_status text not null,
  end_status text not null,
  total_fees numeric not null,
  total_fees_extra jsonb,
  state_hash_before bytea not null,
  state_hash_after bytea not null,
  aborted boolean not null,
  description bytea not null,
  in_msg_hash bytea,
  in_opcode int,
  primary key (account, lt)
) partition by range (lt);
create index transactions_by_hash on transactions using hash (hash);
create index transactions_by_in_msg on transactions using hash (in_msg_hash) where in_msg_hash is not null;
create index transactions_by_account_time on transactions (account, now);
create index transactions_by_lt on transactions (lt);
create index transactions_by_time on transactions (now);
create index transactions_by_mc on transactions (mc_block_seqno);
create index transactions_by_trace on transactions (trace_id);
create index transactions_by_block on transactions (block_workchain, block_shard, block_seqno);
create index transactions_by_in_opcode on transactions (in_opcode, lt) where in_opcode is not null;

-- One row a message. Its receivers are the transactions with that in_msg_hash: a message from outside may have many.
-- lt is created_lt; a message from outside has none, and its lt is that of the first transaction that received it.
create table messages (
  lt bigint not null,
  hash bytea not null,
  hash_norm bytea,
  source bytea,
  destination bytea,
  value numeric,
  value_extra jsonb,
  fwd_fee numeric,
  ihr_fee numeric,
  extra_flags numeric,
  created_lt bigint,
  created_at bigint,
  opcode int,
  ihr_disabled boolean,
  bounce boolean,
  bounced boolean,
  import_fee numeric,
  body_hash bytea not null,
  init_hash bytea,
  out_tx_hash bytea,
  out_index int,
  body bytea not null,
  init bytea,
  primary key (lt, hash)
) partition by range (lt);
create index messages_by_hash on messages using hash (hash);
create index messages_by_norm on messages using hash (hash_norm) where hash_norm is not null;
create index messages_by_sender on messages using hash (out_tx_hash) where out_tx_hash is not null;
-- Messages from outside have no time and are ordered by hash: eight bytes of it give nearly that order.
create index messages_by_body on messages (substring(body_hash from 1 for 8), created_lt);
create index messages_by_source on messages (source, created_lt, substring(hash from 1 for 8));
create index messages_by_source_time on messages (source, created_at);
create index messages_by_destination on messages (destination, created_lt, substring(hash from 1 for 8));
create index messages_by_destination_time on messages (destination, created_at);
create index messages_by_opcode on messages (opcode, created_lt, substring(hash from 1 for 8));
create index messages_by_lt on messages (created_lt, substring(hash from 1 for 8));
create index messages_by_time on messages (created_at);

-- States after blocks; lt is that of the account's last transaction.
create table account_states (
  account bytea not null,
  hash bytea not null,
  lt bigint not null,
  balance numeric not null,
  balance_extra jsonb,
  status text not null,
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea,
  primary key (account, hash, lt)
) partition by range (lt);

-- The balance changes with every transaction: without an index on it, and with room on the page, an update touches no
-- index. The key's own index holds the code, which the address book of an answer asks for.
create table latest_account_states (
  account bytea not null,
  hash bytea not null,
  balance numeric not null,
  balance_extra jsonb,
  status text not null,
  timestamp bigint not null,
  last_trans_hash bytea,
  last_trans_lt bigint not null,
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea,
  data_boc bytea,
  primary key (account) include (code_hash)
) with (fillfactor = 80);

-- The accounts with the largest balances.
create table rich_accounts (
  account bytea primary key,
  balance numeric not null
);
create index rich_accounts_by_balance on rich_accounts (balance desc, account);

-- Code by hash, once; methods are the keys of its method dictionary, null where it has none.
create table codes (
  hash bytea primary key,
  boc bytea not null,
  methods int[]
);

create table traces (
  trace_id bytea not null,
  external_hash bytea,
  external_hash_norm bytea,
  mc_seqno_start int not null,
  mc_seqno_end int not null,
  start_lt bigint not null,
  start_utime bigint not null,
  end_lt bigint not null,
  end_utime bigint not null,
  state text not null,
  edges int not null,
  nodes int not null,
  pending_edges int not null,
  classification_state text not null,
  primary key (trace_id, start_lt)
) partition by range (start_lt);
create index traces_by_lt on traces (end_lt) where state = 'complete';
create index traces_by_time on traces (end_utime) where state = 'complete';
create index traces_by_mc on traces (mc_seqno_end, end_lt);
create index traces_by_external on traces using hash (external_hash) where external_hash is not null;
create index traces_by_external_norm on traces using hash (external_hash_norm) where external_hash_norm is not null;
create index traces_open on traces (state) where state = 'pending';
create index traces_unclassified on traces (mc_seqno_end) where state = 'complete' and classification_state = 'unclassified';

-- Messages sent and not received yet: what the assembly of traces must remember.
create table open_edges (
  msg_hash bytea primary key,
  trace_id bytea not null
);
create index open_edges_by_trace on open_edges (trace_id);

-- Complete traces by the accounts they touch.
create table trace_accounts (
  account bytea not null,
  end_lt bigint not null,
  trace_id bytea not null,
  end_utime bigint not null
) partition by range (end_lt);
create unique index trace_accounts_by_lt on trace_accounts (account, end_lt, substring(trace_id from 1 for 8));
create index trace_accounts_by_time on trace_accounts (account, end_utime);

create table actions (
  trace_id bytea not null,
  action_id bytea not null,
  type text not null,
  shown_type text not null,
  start_lt bigint not null,
  end_lt bigint not null,
  start_utime bigint not null,
  end_utime bigint not null,
  trace_end_lt bigint not null,
  trace_end_utime bigint not null,
  trace_mc_seqno_end int not null,
  trace_external_hash bytea,
  trace_external_hash_norm bytea,
  success boolean,
  ancestor_types text[] not null,
  parent_id bytea,
  transactions bytea[] not null,
  accounts bytea[] not null,
  details jsonb not null,
  primary key (trace_id, action_id, trace_end_lt)
) partition by range (trace_end_lt);
create index actions_by_id on actions using hash (action_id);
create index actions_by_lt on actions (trace_end_lt);
create index actions_by_time on actions (trace_end_utime);
create index actions_by_mc on actions (trace_mc_seqno_end, trace_end_lt);
create index actions_by_type on actions (type, trace_end_lt);
create index actions_by_type_time on actions (type, trace_end_utime);

-- Actions by the accounts they touch. Types are numbers here, made from their names; ancestor_codes is null where there
-- are none. What decides whether an action is shown is in this table, so that only shown ones are looked up.
create table action_accounts (
  account bytea not null,
  trace_end_lt bigint not null,
  trace_id bytea not null,
  action_end_lt bigint not null,
  action_id bytea not null,
  trace_end_utime bigint not null,
  action_end_utime bigint not null,
  type_code int not null,
  ancestor_codes int[]
) partition by range (trace_end_lt);
create unique index action_accounts_by_lt on action_accounts (account, trace_end_lt, substring(action_id from 1 for 8));
create index action_accounts_by_type on action_accounts (account, type_code, trace_end_lt);
create index action_accounts_by_time on action_accounts (account, trace_end_utime);

-- Entities. id is the order of insertion: the masterchain block of the first sight times 2^20, plus the place in it.
create table jetton_masters (
  address bytea primary key,
  id bigint not null,
  total_supply numeric not null,
  mintable boolean not null,
  admin_address bytea,
  jetton_content jsonb,
  jetton_wallet_code_hash bytea not null,
  code_hash bytea not null,
  data_hash bytea not null,
  last_transaction_lt bigint not null
);
create index jetton_masters_by_id on jetton_masters (id);
create index jetton_masters_by_admin on jetton_masters (admin_address, id) where admin_address is not null;

create table mintless_jetton_masters (
  address bytea primary key,
  is_indexed boolean not null,
  custom_payload_api_uri text[]
);

create table jetton_wallets (
  address bytea primary key,
  id bigint not null,
  balance numeric not null,
  owner bytea not null,
  jetton bytea not null,
  code_hash bytea,
  data_hash bytea,
  last_transaction_lt bigint not null,
  mintless_is_claimed boolean,
  mintless_amount numeric,
  mintless_start_from bigint,
  mintless_expire_at bigint
);
create index jetton_wallets_by_id on jetton_wallets (id);
create index jetton_wallets_by_balance on jetton_wallets (balance, id);
create index jetton_wallets_by_owner on jetton_wallets (owner, id);
create index jetton_wallets_by_owner_balance on jetton_wallets (owner, balance, id);
create index jetton_wallets_by_jetton on jetton_wallets (jetton, id);
create index jetton_wallets_by_jetton_balance on jetton_wallets (jetton, balance, id);
create index jetton_wallets_by_owner_jetton on jetton_wallets (owner, jetton, id);
-- Wallets that have nothing but what can be claimed, so that those with nothing at all need not be walked through.
create index jetton_wallets_unclaimed on jetton_wallets (id)
  where balance = 0 and mintless_amount > 0 and not mintless_is_claimed;
create index jetton_wallets_unclaimed_by_owner on jetton_wallets (owner, id)
  where balance = 0 and mintless_amount > 0 and not mintless_is_claimed;
create index jetton_wallets_unclaimed_by_jetton on jetton_wallets (jetton, id)
  where balance = 0 and mintless_amount > 0 and not mintless_is_claimed;

create table jetton_transfers (
  tx_hash bytea not null,
  tx_lt bigint not null,
  tx_now bigint not null,
  tx_aborted boolean not null,
  mc_seqno int not null,
  trace_id bytea,
  query_id numeric not null,
  amount numeric not null,
  source bytea not null,
  destination bytea,
  source_wallet bytea not null,
  jetton_master bytea not null,
  response_destination bytea,
  custom_payload bytea,
  forward_ton_amount numeric,
  forward_payload bytea,
  primary key (source_wallet, tx_lt)
) partition by range (tx_lt);
create index jetton_transfers_by_lt on jetton_transfers (tx_lt) where not tx_aborted;
create index jetton_transfers_by_time on jetton_transfers (tx_now) where not tx_aborted;
create index jetton_transfers_by_source on jetton_transfers (source, tx_lt);
create index jetton_transfers_by_source_time on jetton_transfers (source, tx_now);
create index jetton_transfers_by_destination on jetton_transfers (destination, tx_lt);
create index jetton_transfers_by_destination_time on jetton_transfers (destination, tx_now);
create index jetton_transfers_by_wallet_time on jetton_transfers (source_wallet, tx_now);
create index jetton_transfers_by_master on jetton_transfers (jetton_master, tx_lt);
create index jetton_transfers_by_master_time on jetton_transfers (jetton_master, tx_now);
create index jetton_transfers_by_source_master on jetton_transfers (source, jetton_master, tx_lt);
create index jetton_transfers_by_destination_master on jetton_transfers (destination, jetton_master, tx_lt);
create index jetton_transfers_by_trace on jetton_transfers (trace_id);
create index jetton_transfers_by_source_master_time on jetton_transfers (source, jetton_master, tx_now);
create index jetton_transfers_by_destination_master_time on jetton_transfers (destination, jetton_master, tx_now);

create table jetton_burns (
  tx_hash bytea not null,
  tx_lt bigint not null,
  tx_now bigint not null,
  tx_aborted boolean not null,
  mc_seqno int not null,
  trace_id bytea,
  query_id numeric not null,
  owner bytea not null,
  jetton_wallet bytea not null,
  jetton_master bytea not null,
  amount numeric not null,
  response_destination bytea,
  custom_payload bytea,
  primary key (jetton_wallet, tx_lt)
) partition by range (tx_lt);
create index jetton_burns_by_lt on jetton_burns (tx_lt);
create index jetton_burns_by_time on jetton_burns (tx_now);
create index jetton_burns_by_owner on jetton_burns (owner, tx_lt);
create index jetton_burns_by_owner_time on jetton_burns (owner, tx_now);
create index jetton_burns_by_wallet_time on jetton_burns (jetton_wallet, tx_now);
create index jetton_burns_by_master on jetton_burns (jetton_master, tx_lt);
create index jetton_burns_by_master_time on jetton_burns (jetton_master, tx_now);
create index jetton_burns_by_trace on jetton_burns (trace_id);
create index jetton_burns_by_owner_master on jetton_burns (owner, jetton_master, tx_lt);
create index jetton_burns_by_owner_master_time on jetton_burns (owner, jetton_master, tx_now);

create table nft_collections (
  address bytea primary key,
  id bigint not null,
  next_item_index numeric not null,
  owner_address bytea,
  collection_content jsonb,
  code_hash bytea not null,
  data_hash bytea not null,
  last_transaction_lt bigint not null
);
create index nft_collections_by_id on nft_collections (id);
create index nft_collections_by_owner on nft_collections (owner_address, id) where owner_address is not null;

-- real_owner is the seller where the owner is a sale or auction that holds the item, the owner otherwise.
create table nft_items (
  address bytea primary key,
  id bigint not null,
  init boolean not null,
  index numeric not null,
  collection_address bytea,
  owner_address bytea,
  real_owner bytea,
  content jsonb,
  code_hash bytea not null,
  data_hash bytea not null,
  last_transaction_lt bigint not null
);
create index nft_items_by_id on nft_items (id);
create index nft_items_by_owner on nft_items (owner_address, collection_address, index);
create index nft_items_by_real_owner on nft_items (real_owner, collection_address, index);
create index nft_items_by_collection on nft_items (collection_address, index);
create index nft_items_by_lt on nft_items (last_transaction_lt);
create index nft_items_by_owner_lt on nft_items (owner_address, last_transaction_lt);
create index nft_items_by_real_owner_lt on nft_items (real_owner, last_transaction_lt);
create index nft_items_by_collection_lt on nft_items (collection_address, last_transaction_lt);

create table nft_transfers (
  tx_hash bytea not null,
  tx_lt bigint not null,
  tx_now bigint not null,
  tx_aborted boolean not null,
  mc_seqno int not null,
  trace_id bytea,
  query_id numeric not null,
  nft_item bytea not null,
  nft_item_index numeric,
  nft_collection bytea,
  old_owner bytea not null,
  new_owner bytea,
  response_destination bytea,
  custom_payload bytea,
  forward_amount numeric,
  forward_payload bytea,
  primary key (nft_item, tx_lt)
) partition by range (tx_lt);
create index nft_transfers_by_lt on nft_transfers (tx_lt);
create index nft_transfers_by_time on nft_transfers (tx_now);
create index nft_transfers_by_item_time on nft_transfers (nft_item, tx_now);
create index nft_transfers_by_collection on nft_transfers (nft_collection, tx_lt);
create index nft_transfers_by_collection_time on nft_transfers (nft_collection, tx_now);
create index nft_transfers_by_old_owner on nft_transfers (old_owner, tx_lt);
create index nft_transfers_by_old_owner_time on nft_transfers (old_owner, tx_now);
create index nft_transfers_by_new_owner on nft_transfers (new_owner, tx_lt);
create index nft_transfers_by_new_owner_time on nft_transfers (new_owner, tx_now);
create index nft_transfers_by_trace on nft_transfers (trace_id);
create index nft_transfers_by_old_owner_collection on nft_transfers (old_owner, nft_collection, tx_lt);
create index nft_transfers_by_old_owner_collection_time on nft_transfers (old_owner, nft_collection, tx_now);
create index nft_transfers_by_new_owner_collection on nft_transfers (new_owner, nft_collection, tx_lt);
create index nft_transfers_by_new_owner_collection_time on nft_transfers (new_owner, nft_collection, tx_now);

-- details holds what one kind of sale has and others have not, as the interface tells it.
create table nft_sales (
  address bytea primary key,
  id bigint not null,
  kind text not null,
  nft_address bytea,
  nft_owner_address bytea,
  marketplace_address bytea,
  created_at bigint,
  price numeric,
  details jsonb not null,
  code_hash bytea not null,
  data_hash bytea not null,
  last_transaction_lt bigint not null
);
create index nft_sales_by_nft on nft_sales (nft_address, address) where nft_address is not null;

create table multisigs (
  address bytea primary key,
  id bigint not null,
  next_order_seqno numeric,
  threshold int,
  signers bytea[] not null,
  proposers bytea[] not null,
  code_hash bytea,
  data_hash bytea,
  last_transaction_lt bigint not null
);
create index multisigs_by_id on multisigs (id);
create index multisigs_by_signer on multisigs using gin (signers);
create index multisigs_by_proposer on multisigs using gin (proposers);

create table multisig_orders (
  address bytea primary key,
  id bigint not null,
  multisig_address bytea not null,
  order_seqno numeric,
  threshold int,
  sent_for_execution boolean,
  approvals_mask numeric,
  approvals_num int,
  expiration_date bigint,
  order_boc bytea,
  signers bytea[] not null,
  code_hash bytea,
  data_hash bytea,
  last_transaction_lt bigint not null
);
create index multisig_orders_by_id on multisig_orders (id);
create index multisig_orders_by_multisig on multisig_orders (multisig_address, id);

create table vesting_contracts (
  address bytea primary key,
  id bigint not null,
  start_time bigint,
  total_duration bigint,
  unlock_period bigint,
  cliff_duration bigint,
  total_amount numeric,
  sender_address bytea,
  owner_address bytea,
  code_hash bytea,
  data_hash bytea,
  last_transaction_lt bigint not null
);
create index vesting_contracts_by_id on vesting_contracts (id);
create index vesting_contracts_by_sender on vesting_contracts (sender_address, id);
create index vesting_contracts_by_owner on vesting_contracts (owner_address, id);

create table vesting_whitelist (
  vesting_address bytea not null,
  wallet_address bytea not null,
  primary key (vesting_address, wallet_address)
);
create index vesting_whitelist_by_wallet on vesting_whitelist (wallet_address, vesting_address);

create table dns_entries (
  nft_item_address bytea primary key,
  nft_item_owner bytea,
  domain text not null,
  dns_next_resolver bytea,
  dns_wallet bytea,
  dns_site_adnl bytea,
  dns_storage_bag_id bytea,
  last_transaction_lt bigint not null
);
create index dns_entries_by_domain on dns_entries (domain);
create index dns_entries_by_wallet on dns_entries (dns_wallet, length(domain), domain) where dns_wallet is not null;
create index dns_entries_by_owner on dns_entries (nft_item_owner, length(domain), domain) where nft_item_owner is not null;

create table dex_pools (
  address bytea primary key,
  dex text not null,
  asset0 bytea,
  asset1 bytea,
  reserve0 numeric not null,
  reserve1 numeric not null,
  pool_type text not null,
  fee double precision not null,
  code_hash bytea not null,
  data_hash bytea not null,
  last_transaction_lt bigint not null
);

-- What documents outside the chain say of tokens. valid is null until the first attempt ended.
create table address_metadata (
  address bytea not null,
  type text not null,
  valid boolean,
  name text,
  description text,
  symbol text,
  image text,
  extra jsonb,
  updated_at bigint not null,
  expires_at bigint,
  attempts int not null,
  next_attempt_at bigint,
  primary key (address, type)
);
create index address_metadata_due on address_metadata (next_attempt_at) where next_attempt_at is not null;
create index address_metadata_expiring on address_metadata (expires_at) where expires_at is not null;

create table address_metadata_flags (
  address bytea primary key,
  is_nsfw boolean not null,
  is_scam boolean not null
);

create table marketplace_names (
  address bytea primary key,
  name text not null
);

-- Jetton wallets as each masterchain block left them: the table of wallets has the newest state only, and streams replay.
create table jetton_wallet_changes (
  mc_seqno int not null,
  address bytea not null,
  balance numeric not null,
  owner bytea not null,
  jetton bytea not null,
  code_hash bytea,
  data_hash bytea,
  last_transaction_lt bigint not null,
  primary key (mc_seqno, address)
);

-- Predictions that the processes of one index tell one another; rows are deleted when they are older than predictions are kept.
create table stream_messages (
  id bigint generated always as identity primary key,
  origin text not null,
  sent_at bigint not null,
  payload text not null
);
create index stream_messages_by_time on stream_messages (sent_at);

-- How many logical times a partition holds. The main network has made 2^46 of them: sixteen partitions.
create function partition_width() returns bigint language sql immutable as 'select 4398046511104';

-- Attaches a table as the partition of another one at a place, and names its indexes by the place.
create function attach_partition(parent text, place bigint) returns void language plpgsql as $$
declare
  width bigint := partition_width();
  below text := case when place = 0 then 'minvalue' else (place * width)::text end;
  child record;
begin
  execute format('alter table %I attach partition %I for values from (%s) to (%s)',
    parent, parent || '_p' || place, below, (place + 1) * width);
  for child in
    select i.indexrelid::regclass::text as made, p.indexrelid::regclass::text as name
    from pg_index p join pg_inherits h on h.inhparent = p.indexrelid join pg_index i on i.indexrelid = h.inhrelid
    where p.indrelid = to_regclass(format('%I', parent))
      and i.indrelid = to_regclass(format('%I', parent || '_p' || place))
  loop
    execute format('alter index %s rename to %I', child.made, child.name || '_p' || place);
  end loop;
end
$$;

-- Makes one partition of every partitioned table: the logical times from place times width on, all before them for place 0.
create function make_partition(place bigint) returns void language plpgsql as $$
declare
  parent record;
begin
  -- Of two processes that want it, one makes it.
  perform pg_advisory_xact_lock(4826351);
  for parent in
    select c.relname::text as name from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) order by c.relname
  loop
    continue when to_regclass(format('%I', parent.name || '_p' || place)) is not null;
    -- Attached, because making it in place would lock out readers.
    execute format('create table %I (like %I including all)', parent.name || '_p' || place, parent.name);
    perform attach_partition(parent.name, place);
  end loop;
end
$$;

-- Makes the partitions that rows with these logical times need.
create function make_partitions(lts bigint[]) returns void language plpgsql as $$
declare
  place bigint;
begin
  for place in
    select distinct greatest(lt, 0) / partition_width() from unnest(lts) as lt
  loop
    if to_regclass(format('%I', 'transactions_p' || place)) is null then perform make_partition(place); end if;
  end loop;
end
$$;

select make_partition(0);
