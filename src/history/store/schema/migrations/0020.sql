-- Messages by receiver have the whole hash instead of seven bytes of it. Those from outside have no time and are ordered by
-- their hash: only with all columns of the order in the index rows before an offset are skipped in it alone.
do $$
declare
  child record;
begin
  create index messages_by_destination_new on messages (destination, created_lt, hash, opcode);
  -- Readers wait from here on only.
  drop index messages_by_destination;
  alter index messages_by_destination_new rename to messages_by_destination;
  for child in
    select i.indexrelid::regclass::text as made, 'messages_by_destination' || substring(t.relname from '_p[0-9]+$') as name
    from pg_inherits h join pg_index i on i.indexrelid = h.inhrelid join pg_class t on t.oid = i.indrelid
    where h.inhparent = to_regclass('messages_by_destination')
  loop
    execute format('alter index %s rename to %I', child.made, child.name);
  end loop;
end
$$;
