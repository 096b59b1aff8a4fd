-- The higher limit of a practice's network goes by the network, as the budgets do: desks change their address within an IPv6 network.
alter table auth.session add column network text;
-- An IPv4 address is its own network. Sessions of IPv6 addresses get theirs at the next sign-in.
update auth.session set network = address where address not like '%:%';
drop index auth.session_address_created_at_idx;
create index on auth.session (network, created_at);
