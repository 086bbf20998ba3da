-- Messages from outside have no time: lists have them together, in the order of their hashes, of which the other indexes have
-- the beginning. With whole columns they can be skipped in an index alone. The condition says nothing but that there is no time,
-- in words that the planner finds in no other statement. With `created_lt is null` it took these indexes for the lists of
-- receivers that it expected to have few messages, and read and sorted all of them: too many where one has become busy since.
do $$
declare
  each record;
begin
  create temporary table new_indexes (name text, made text) on commit drop;
  insert into new_indexes values
    ('messages_external_by_hash', '(hash) include (opcode)'),
    ('messages_external_by_destination', '(destination, hash) include (opcode)');
  for each in select name, made from new_indexes loop
    execute format('create index %I on messages %s where (case when created_lt is null then true else false end)',
      each.name, each.made);
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
