-- Traces of an index with a scope that may still touch it: open ones, and those whose beginning is not indexed yet.
create table undecided_traces (
  trace_id bytea not null primary key,
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
  -- Whether its first message was sent before the segment began, by an account in whose name the chain sends, too.
  may_have_parent boolean not null
);
create index undecided_traces_by_external on undecided_traces (external_hash) where external_hash is not null;

-- What a block adds to such a trace, as one text: rows of several tables, which are written when the trace touches the
-- scope. `part_id` is the trace as it was known at first, before the index had its beginning.
create table undecided_rows (
  trace_id bytea not null,
  mc_seqno int not null,
  part_id bytea not null,
  rows text not null,
  primary key (trace_id, mc_seqno, part_id)
);
