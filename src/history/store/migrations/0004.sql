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
