-- Accounts that the configuration suspends, by the key block of the configuration.
create table suspended_lists (
  key_seqno int not null primary key,
  suspended_until bigint not null,
  accounts bytea[] not null
);
