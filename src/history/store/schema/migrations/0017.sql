-- no transaction
-- Accounts by code: seven bytes of the code's hash, with their length eight, and as many of the account. An account has an
-- entry when it has code; its entry changes only when its code does, so updates of a latest state still touch no index.
create index concurrently if not exists latest_account_states_by_code
  on latest_account_states (substring(code_hash from 1 for 7), substring(account from 1 for 7))
  where code_hash is not null;
