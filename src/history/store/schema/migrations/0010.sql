-- Every change of a balance changes this index: it has the balance alone, and accounts with the same one are sorted.
create index rich_accounts_by_balance_new on rich_accounts (balance desc);
drop index rich_accounts_by_balance;
alter index rich_accounts_by_balance_new rename to rich_accounts_by_balance;
