-- Messages in the order of logical times have the whole hash instead of seven bytes of it. Those from outside have no time and
-- are ordered by their hash: only with all columns of the order in the index rows before an offset are skipped in it alone.
do $$
declare
  each record;
begin
  create temporary table new_indexes (name text, made text) on commit drop;
  insert into new_indexes values
    ('messages_by_destination', 'messages (destination, created_lt, hash, opcode)'),
    ('messages_by_opcode', 'messages (opcode, created_lt, hash)'),
    ('messages_by_lt', 'messages (created_lt, hash)');
  for each in select name, made from new_indexes loop
    execute format('create index %I on %s', each.name || '_new', each.made);
  end loop;
  -- Readers wait from here on only.
  for each in select name from new_indexes loop
    execute format('drop index %I', each.name);
    execute format('alter index %I rename to %I', each.name || '_new', each.name);
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
