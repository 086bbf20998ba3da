-- Lists that would have to search an idle network's blocks, which have nothing but transactions of the chain itself. The
-- indexes by workchain and by block begin with another column than those of all transactions, and the ones of actions are
-- on an expression: a statement that is ordered by it can be read along no other index, whatever the planner estimates.
create index transactions_by_workchain on transactions (block_workchain, lt);
create index transactions_by_workchain_time on transactions (block_workchain, now);
-- Of the masterchain without the elector and the configuration, which have transactions in every block.
create index transactions_of_users on transactions (block_workchain, lt)
  where block_workchain = -1
    and account <> '\x7f3333333333333333333333333333333333333333333333333333333333333333'::bytea
    and account <> '\x7f5555555555555555555555555555555555555555555555555555555555555555'::bytea;
-- Actions of traces that began with a message from outside. Messages of the chain itself come from the account of zeros.
create index actions_of_users on actions ((trace_end_lt + 0))
  where trace_external_hash is not null
    and coalesce(details ->> 'source', '') <> '-1:0000000000000000000000000000000000000000000000000000000000000000';
create index actions_of_users_time on actions ((trace_end_utime + 0))
  where trace_external_hash is not null
    and coalesce(details ->> 'source', '') <> '-1:0000000000000000000000000000000000000000000000000000000000000000';
create index blocks_by_shard on blocks (workchain, shard, start_lt);

-- Names the indexes of partitions by their place, as those of new partitions are.
do $$
declare
  each record;
begin
  for each in
    select i.indexrelid::regclass::text as made, p.relname || substring(t.relname from '_p[0-9]+$') as name
    from pg_class p join pg_inherits h on h.inhparent = p.oid
    join pg_index i on i.indexrelid = h.inhrelid join pg_class t on t.oid = i.indrelid
    where p.relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and p.relname in ('transactions_by_workchain', 'transactions_by_workchain_time', 'transactions_of_users',
        'actions_of_users', 'actions_of_users_time')
  loop
    execute format('alter index %s rename to %I', each.made, each.name);
  end loop;
end
$$;
