-- Indexes by account have seven bytes of its address instead of all 33: with the length they fill eight, enough to find the
-- account's rows, which are then compared with the whole account. The same for hashes, of which there were eight.
-- Rows of the lists by account are not unique by an index any more: their writers write them once.
do $$
declare
  each record;
begin
  create temporary table new_indexes (name text, made text) on commit drop;
  insert into new_indexes values
    ('transactions_by_account_time', 'transactions (substring(account from 2 for 7), now)'),
    ('messages_by_body', 'messages (substring(body_hash from 1 for 7), created_lt)'),
    ('messages_by_source', 'messages (substring(source from 2 for 7), created_lt) where source is not null'),
    ('messages_by_source_time', 'messages (substring(source from 2 for 7), created_at) where source is not null'),
    ('messages_by_destination',
      'messages (substring(destination from 2 for 7), created_lt, substring(hash from 1 for 7))'),
    ('messages_by_destination_time', 'messages (substring(destination from 2 for 7), created_at)'),
    ('messages_by_opcode', 'messages (opcode, created_lt, substring(hash from 1 for 7))'),
    ('messages_by_lt', 'messages (created_lt, substring(hash from 1 for 7))'),
    ('trace_accounts_by_lt', 'trace_accounts (substring(account from 2 for 7), end_lt)'),
    ('trace_accounts_by_time', 'trace_accounts (substring(account from 2 for 7), end_utime)'),
    ('action_accounts_by_lt', 'action_accounts (substring(account from 2 for 7), trace_end_lt)'),
    ('action_accounts_by_type', 'action_accounts (substring(account from 2 for 7), type_code, trace_end_lt)'),
    ('action_accounts_by_time', 'action_accounts (substring(account from 2 for 7), trace_end_utime)'),
    ('jetton_transfers_by_source', 'jetton_transfers (substring(source from 2 for 7), tx_lt)'),
    ('jetton_transfers_by_source_time', 'jetton_transfers (substring(source from 2 for 7), tx_now)'),
    ('jetton_transfers_by_destination', 'jetton_transfers (substring(destination from 2 for 7), tx_lt)'),
    ('jetton_transfers_by_destination_time', 'jetton_transfers (substring(destination from 2 for 7), tx_now)'),
    ('jetton_transfers_by_wallet_time', 'jetton_transfers (substring(source_wallet from 2 for 7), tx_now)'),
    ('jetton_transfers_by_master', 'jetton_transfers (substring(jetton_master from 2 for 7), tx_lt)'),
    ('jetton_transfers_by_master_time', 'jetton_transfers (substring(jetton_master from 2 for 7), tx_now)'),
    ('jetton_transfers_by_source_master',
      'jetton_transfers (substring(source from 2 for 7), substring(jetton_master from 2 for 7), tx_lt)'),
    ('jetton_transfers_by_source_master_time',
      'jetton_transfers (substring(source from 2 for 7), substring(jetton_master from 2 for 7), tx_now)'),
    ('jetton_transfers_by_destination_master',
      'jetton_transfers (substring(destination from 2 for 7), substring(jetton_master from 2 for 7), tx_lt)'),
    ('jetton_transfers_by_destination_master_time',
      'jetton_transfers (substring(destination from 2 for 7), substring(jetton_master from 2 for 7), tx_now)'),
    ('jetton_transfers_by_trace', 'jetton_transfers using hash (trace_id)'),
    ('jetton_burns_by_owner', 'jetton_burns (substring(owner from 2 for 7), tx_lt)'),
    ('jetton_burns_by_owner_time', 'jetton_burns (substring(owner from 2 for 7), tx_now)'),
    ('jetton_burns_by_wallet_time', 'jetton_burns (substring(jetton_wallet from 2 for 7), tx_now)'),
    ('jetton_burns_by_master', 'jetton_burns (substring(jetton_master from 2 for 7), tx_lt)'),
    ('jetton_burns_by_master_time', 'jetton_burns (substring(jetton_master from 2 for 7), tx_now)'),
    ('jetton_burns_by_owner_master',
      'jetton_burns (substring(owner from 2 for 7), substring(jetton_master from 2 for 7), tx_lt)'),
    ('jetton_burns_by_owner_master_time',
      'jetton_burns (substring(owner from 2 for 7), substring(jetton_master from 2 for 7), tx_now)'),
    ('nft_transfers_by_item_time', 'nft_transfers (substring(nft_item from 2 for 7), tx_now)'),
    ('nft_transfers_by_collection', 'nft_transfers (substring(nft_collection from 2 for 7), tx_lt)'),
    ('nft_transfers_by_collection_time', 'nft_transfers (substring(nft_collection from 2 for 7), tx_now)'),
    ('nft_transfers_by_old_owner', 'nft_transfers (substring(old_owner from 2 for 7), tx_lt)'),
    ('nft_transfers_by_old_owner_time', 'nft_transfers (substring(old_owner from 2 for 7), tx_now)'),
    ('nft_transfers_by_new_owner', 'nft_transfers (substring(new_owner from 2 for 7), tx_lt)'),
    ('nft_transfers_by_new_owner_time', 'nft_transfers (substring(new_owner from 2 for 7), tx_now)'),
    ('nft_transfers_by_old_owner_collection',
      'nft_transfers (substring(old_owner from 2 for 7), substring(nft_collection from 2 for 7), tx_lt)'),
    ('nft_transfers_by_old_owner_collection_time',
      'nft_transfers (substring(old_owner from 2 for 7), substring(nft_collection from 2 for 7), tx_now)'),
    ('nft_transfers_by_new_owner_collection',
      'nft_transfers (substring(new_owner from 2 for 7), substring(nft_collection from 2 for 7), tx_lt)'),
    ('nft_transfers_by_new_owner_collection_time',
      'nft_transfers (substring(new_owner from 2 for 7), substring(nft_collection from 2 for 7), tx_now)');
  for each in select name, made from new_indexes loop
    execute format('create index %I on %s', each.name || '_new', each.made);
  end loop;
  -- Readers wait from here on only.
  for each in select name from new_indexes loop
    execute format('drop index %I', each.name);
    execute format('alter index %I rename to %I', each.name || '_new', each.name);
  end loop;
  for each in
    select i.indexrelid::regclass::text as made, n.name || substring(t.relname from '_p[0-9]+$') as name
    from new_indexes n join pg_inherits h on h.inhparent = to_regclass(n.name)
    join pg_index i on i.indexrelid = h.inhrelid join pg_class t on t.oid = i.indrelid
  loop
    execute format('alter index %s rename to %I', each.made, each.name);
  end loop;
end
$$;
