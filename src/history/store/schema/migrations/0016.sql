-- Partitions by weight. Right after a checkpoint, every page of an index with random keys is written whole at its first
-- change, so the head partition must be small; and a statement is planned for each partition, so there must be few of them.
-- Where finished partitions can be merged, new ones are made small, by the fact `partition_weight`: the number of
-- transactions that one should hold. Elsewhere they stay as wide as they were.
-- Numbers below 2^32 are those of partitions of partition_width(). The others name aligned ranges of 2^bits logical times:
-- 2^32, plus the beginning of the range in units of 2^24 times 64, plus bits. Two such ranges are apart, or one has the other.

create function partition_from(place bigint) returns bigint language sql immutable as $$
  select case when place < 4294967296 then place * partition_width() else ((place - 4294967296) >> 6) << 24 end
$$;

create function partition_to(place bigint) returns bigint language sql immutable as $$
  select case when place < 4294967296 then (place + 1) * partition_width()
    else partition_from(place) + (1::bigint << (place & 63)::int) end
$$;

create function partition_places(parent text) returns setof bigint language sql stable as $$
  select substring(c.relname from '_p([0-9]+)$')::bigint
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass(format('%I', parent))
$$;

-- Attaches a table as the partition of another one at a place, and names its indexes by the place.
create or replace function attach_partition(parent text, place bigint) returns void language plpgsql as $$
declare
  below text := case when place = 0 then 'minvalue' else partition_from(place)::text end;
  child record;
begin
  execute format('alter table %I attach partition %I for values from (%s) to (%s)',
    parent, parent || '_p' || place, below, partition_to(place));
  for child in
    select i.indexrelid::regclass::text as made, p.indexrelid::regclass::text as name
    from pg_index p join pg_inherits h on h.inhparent = p.indexrelid join pg_index i on i.indexrelid = h.inhrelid
    where p.indrelid = to_regclass(format('%I', parent))
      and i.indrelid = to_regclass(format('%I', parent || '_p' || place))
  loop
    execute format('alter index %s rename to %I', child.made, child.name || '_p' || place);
  end loop;
end
$$;

-- Makes one partition of every partitioned table that has none for these logical times.
create or replace function make_partition(place bigint) returns void language plpgsql as $$
declare
  parent record;
begin
  -- Of two processes that want it, one makes it.
  perform pg_advisory_xact_lock(4826351);
  for parent in
    select c.relname::text as name from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) order by c.relname
  loop
    continue when to_regclass(format('%I', parent.name || '_p' || place)) is not null;
    -- Those of one table may be merged already, and those of another not yet.
    continue when exists (
      select 1 from partition_places(parent.name) as p
      where partition_from(p) < partition_to(place) and partition_to(p) > partition_from(place));
    -- Attached, because making it in place would lock out readers.
    execute format('create table %I (like %I including all)', parent.name || '_p' || place, parent.name);
    perform attach_partition(parent.name, place);
  end loop;
end
$$;

-- The place of the partition that is to be made for a logical time: by the transactions that the nearest blocks have.
create function choose_partition(lt bigint) returns bigint language plpgsql as $$
declare
  weight numeric := (select value::numeric from index_facts where name = 'partition_weight');
  near int;
  known record;
  -- Half a million transactions of the main network.
  bits int := 34;
  place bigint;
begin
  if weight is null then return greatest(lt, 0) / partition_width(); end if;
  near := coalesce(
    (select b.mc_block_seqno from blocks b where b.start_lt <= lt order by b.start_lt desc limit 1),
    (select b.mc_block_seqno from blocks b where b.start_lt > lt order by b.start_lt limit 1));
  select sum(b.tx_count) as transactions, max(b.end_lt) - min(b.start_lt) as span into known
  from blocks b where b.mc_block_seqno between near - 64 and near + 64;
  if known.transactions > 0 and known.span > 0 then
    bits := greatest(24, least(42, floor(log(2, weight * known.span / known.transactions))::int));
  end if;
  loop
    place := 4294967296 + (((lt >> bits) << bits >> 24) << 6) + bits;
    exit when bits = 24 or not exists (
      select 1 from partition_places('transactions') as p
      where partition_from(p) < partition_to(place) and partition_to(p) > partition_from(place));
    bits := bits - 1;
  end loop;
  return place;
end
$$;

-- Makes the partitions that rows with these logical times need.
create or replace function make_partitions(lts bigint[]) returns void language plpgsql as $$
declare
  places bigint[] := array(select partition_places('transactions'));
  lt bigint;
begin
  for lt in
    select distinct greatest(each, 0) as lt from unnest(lts) as each
    where not exists (
      select 1 from unnest(places) as p where partition_from(p) <= greatest(each, 0) and partition_to(p) > greatest(each, 0))
    order by 1
  loop
    -- Another process may have made it meanwhile, and others choose after it.
    perform pg_advisory_xact_lock(4826351);
    continue when exists (
      select 1 from partition_places('transactions') as p where partition_from(p) <= lt and partition_to(p) > lt);
    perform make_partition(choose_partition(lt));
  end loop;
end
$$;
