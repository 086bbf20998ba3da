-- Auctions of domains, as the items report them. Rows of older versions gain them with the next transaction of the item.
alter table dns_entries
  add column max_bid_address bytea,
  add column max_bid_amount numeric,
  add column auction_end_time bigint,
  add column last_fill_up_time bigint;
create index dns_entries_by_bidder on dns_entries (max_bid_address, auction_end_time, nft_item_address)
  where max_bid_address is not null;
