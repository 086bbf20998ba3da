-- The state after a transaction, which is known of an account's last transaction in a block: without after_balance none is
-- here. The state before a transaction is that after the previous one. account_states has the others: those of zero states,
-- and of deleted accounts, whose next transaction does not name the one before.
alter table transactions
  add column after_balance numeric,
  add column after_balance_extra jsonb,
  add column after_frozen_hash bytea,
  add column after_data_hash bytea,
  add column after_code_hash bytea;
