-- Makes the partitions that rows with these logical times need. It runs in every commit and nearly always finds them there,
-- so its statements are planned once a session; a function that returns rows is planned with them only in a FROM clause.
create or replace function make_partitions(lts bigint[]) returns void language plpgsql
set plan_cache_mode = 'force_generic_plan' as $$
declare
  lt bigint;
begin
  for lt in
    select distinct greatest(each, 0) as lt from unnest(lts) as each
    where not exists (
      select 1 from partition_places('transactions') as p
      where partition_from(p) <= greatest(each, 0) and partition_to(p) > greatest(each, 0))
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
