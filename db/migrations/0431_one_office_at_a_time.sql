-- As before, one office after the other: a statement with several offices asks several machines at once.
create or replace function door_offices_of(p_person uuid)
returns table (id uuid, npi text, name text, agreement_signed_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
  an_office uuid;
  one record;
  ids uuid[];
  npis text[];
  names text[];
  signed timestamptz[];
  since timestamptz[];
  memberships uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'person' and d.key = p_person::text);
  foreach an_office in array offices loop
    select o.id, o.npi, o.name, o.agreement_signed_at, m.created_at, m.id as membership_id
    into one
    from membership m join office o on o.id = m.office_id
    where m.office_id = an_office and m.person_id = p_person;
    continue when not found;
    ids := ids || one.id;
    npis := npis || one.npi;
    names := names || one.name;
    signed := signed || one.agreement_signed_at;
    since := since || one.created_at;
    memberships := memberships || one.membership_id;
  end loop;
  return query
  select f.id, f.npi, f.name, f.signed
  from unnest(ids, npis, names, signed, since, memberships) as f (id, npi, name, signed, since, membership)
  order by f.since, f.membership;
end $$;

create or replace function door_open_invitations(p_values text[], p_now timestamptz)
returns table (
  office_id uuid, id uuid, npi text, office_name text, invited_by_name text, kind text, value text, expires_at timestamptz
)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
  an_office uuid;
  found_here jsonb;
  found_all jsonb := '[]';
begin
  offices := array(select distinct d.office_id from auth.office_directory d where d.kind = 'invited' and d.key = any (p_values));
  foreach an_office in array offices loop
    found_here := (
      select jsonb_agg(to_jsonb(x)) from (
        select i.office_id, i.id, o.npi, o.name as office_name, i.invited_by_name, i.kind, i.value, i.expires_at, i.created_at
        from invitation i join office o on o.id = i.office_id
        where i.office_id = an_office and i.value = any (p_values) and i.state = 'open' and i.expires_at > p_now
        order by i.created_at, i.id limit 20
      ) x
    );
    found_all := found_all || coalesce(found_here, '[]');
  end loop;
  return query
  select f.office_id, f.id, f.npi, f.office_name, f.invited_by_name, f.kind, f.value, f.expires_at
  from jsonb_to_recordset(found_all) as f (
    office_id uuid, id uuid, npi text, office_name text, invited_by_name text, kind text, value text, expires_at timestamptz, created_at timestamptz
  )
  order by f.created_at, f.id limit 20;
end $$;
