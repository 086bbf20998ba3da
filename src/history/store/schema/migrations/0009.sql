-- Partitions that were rewritten in the order of accounts with dense indexes.
create table sealed_partitions (
  name text primary key,
  sealed_at bigint not null
);

-- Partitions that are being rewritten. `attempt` tells apart those who try; a row that changes meanwhile is noted.
create table seal_attempts (
  name text primary key,
  attempt text not null,
  is_changed boolean not null
);

create function note_change() returns trigger language plpgsql as $$
begin
  execute format('update %I.seal_attempts set is_changed = true where name = %L and not is_changed',
    tg_table_schema, tg_table_name);
  return null;
end
$$;
