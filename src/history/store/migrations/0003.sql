-- The balance changes with every transaction: without an index on it, and with room on the page, an update of a latest
-- state touches no index. The accounts with the largest balances have a small table of their own.
create table rich_accounts (
  account bytea primary key,
  balance numeric not null
);
insert into rich_accounts (account, balance)
  select account, balance from latest_account_states order by balance desc, account limit 150000;
-- A full table holds all accounts above the smallest balance in it; others may have that balance, too.
insert into index_facts (name, value)
  select 'rich_floor', (min(balance) + 1)::text from rich_accounts having count(*) = 150000;
delete from rich_accounts
  where balance < (select value::numeric from index_facts where name = 'rich_floor');
create index rich_accounts_by_balance on rich_accounts (balance desc, account);
drop index latest_by_balance;
alter table latest_account_states set (fillfactor = 80);
