-- no transaction: the tables may be large, and whoever reads or writes them is not to wait.

-- The address book of an answer asks for the codes of up to a thousand accounts: the key's own index holds them.
create unique index concurrently if not exists latest_account_states_with_code on latest_account_states (account) include (code_hash);
alter table latest_account_states
  drop constraint if exists latest_account_states_pkey,
  add constraint latest_account_states_pkey primary key using index latest_account_states_with_code;

-- Transfers and burns of one token by one owner, who may have very many of others.
create index concurrently if not exists jetton_transfers_by_source_master_time on jetton_transfers (source, jetton_master, tx_now, tx_lt);
create index concurrently if not exists jetton_transfers_by_destination_master_time on jetton_transfers (destination, jetton_master, tx_now, tx_lt);
create index concurrently if not exists jetton_burns_by_owner_master on jetton_burns (owner, jetton_master, tx_lt);
create index concurrently if not exists jetton_burns_by_owner_master_time on jetton_burns (owner, jetton_master, tx_now, tx_lt);
create index concurrently if not exists nft_transfers_by_old_owner_collection on nft_transfers (old_owner, nft_collection, tx_lt);
create index concurrently if not exists nft_transfers_by_old_owner_collection_time on nft_transfers (old_owner, nft_collection, tx_now, tx_lt);
create index concurrently if not exists nft_transfers_by_new_owner_collection on nft_transfers (new_owner, nft_collection, tx_lt);
create index concurrently if not exists nft_transfers_by_new_owner_collection_time on nft_transfers (new_owner, nft_collection, tx_now, tx_lt);
