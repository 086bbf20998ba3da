-- Transfers of jettons by their owners in the order of logical times have whole addresses, only those that were done, and the
-- sender beside the receiver: rows before a deep offset, each once, can be skipped in these indexes alone.
do $$
declare
  each record;
begin
  create temporary table new_indexes (name text, made text) on commit drop;
  insert into new_indexes values
    ('jetton_transfers_by_source', '(source, tx_lt)'),
    ('jetton_transfers_by_destination', '(destination, tx_lt) include (source)'),
    ('jetton_transfers_by_source_master', '(source, jetton_master, tx_lt)'),
    ('jetton_transfers_by_destination_master', '(destination, jetton_master, tx_lt) include (source)');
  for each in select name, made from new_indexes loop
    execute format('create index %I on jetton_transfers %s where not tx_aborted', each.name || '_new', each.made);
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
