import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PoolClient } from 'pg';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { onCitus } from '#testing/app/database-nodes.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { fillOffice, type OfficeIds } from '#testing/app/two-offices.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());
const { pool } = testApp.services;

let maple: TestOffice & { ids: OfficeIds };
let harbor: TestOffice & { ids: OfficeIds };
let shared: Buffer;
let invited: { value: string; tokenHash: Buffer };
beforeAll(async () => {
  maple = await fillOffice(testApp, 'MAPLE', '2100080123');
  harbor = await fillOffice(testApp, 'HARBOR', '2100080187');
  shared = (
    await testApp.inOffice(maple, (tx) => tx.selectFrom('shareLink').select('tokenHash').executeTakeFirstOrThrow())
  ).tokenHash;
  invited = await testApp.inOffice(maple, (tx) =>
    tx.selectFrom('invitation').select(['value', 'tokenHash']).executeTakeFirstOrThrow(),
  );
});

const column = async <T>(text: string, values: unknown[] = []) =>
  (await pool.query<{ it: T }>(text, values)).rows.map(({ it }) => it);
const officeOwned = await column<string>(
  `select c.relname as it from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'office_id' and not a.attisdropped
   where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`,
);
const guarded = [...officeOwned, 'office'];

/** Row-level security refuses a statement with 42501. Citus refuses some before they reach it, such as a change of the office. */
const refusal = onCitus() ? /^(42501|0A000)$/ : /^42501$/;

/** Runs work as the app's role, with or without an office, in a transaction that is rolled back. */
async function asApp<T>(officeId: string | null, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    if (officeId) await client.query(`set local app.office_id = '${officeId}'`);
    return await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Tables that name an office without belonging to it, and why row-level security by office cannot protect them. */
const unguarded: Record<string, string> = {
  'auth.registration':
    'belongs to the person who registers: written before the office exists, and read by that person before they are a member',
  'auth.npi_claim':
    'belongs to the person who claims the NPI, who is no member of the office; the operator and a job read the claims of all offices',
};

describe('every table of an office', () => {
  test('every table with an office has forced row-level security in any schema, or a listed reason why not', async () => {
    const found = await column<string>(
      `select n.nspname || '.' || c.relname as it from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'office_id' and not a.attisdropped
       where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
         and not (c.relrowsecurity and c.relforcerowsecurity) order by 1`,
    );
    expect(found).toEqual(Object.keys(unguarded).sort());
  });

  test('every table without an office is listed', async () => {
    const rest = await column<string>(
      `select tablename as it from pg_tables where schemaname = 'public' and not tablename = any($1) order by 1`,
      [guarded],
    );
    expect(rest).toEqual([
      'built_in_form',
      'demo_request',
      'global_setting',
      'kysely_migration_lock',
      'partner_application',
      'rate_limit',
      'schema_migration',
    ]);
    expect(guarded.length).toBeGreaterThan(15);
  });

  test.each(guarded)(
    '%s: forced row-level security, for all four commands, and a key that begins with the office',
    async (table) => {
      const [forced] = await column<boolean>(
        `select relrowsecurity and relforcerowsecurity as it from pg_class where oid = $1::regclass`,
        [table],
      );
      expect(forced).toBe(true);
      const commands = await column<string>(
        `select cmd as it from pg_policies where schemaname = 'public' and tablename = $1
       and roles && array['public', 'anteroom_app']::name[] and qual like '%current_office()%' and with_check = qual`,
        [table],
      );
      expect(
        commands.includes('ALL') || ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].every((c) => commands.includes(c)),
      ).toBe(true);
      const others = await column<string>(
        `select policyname as it from pg_policies where schemaname = 'public' and tablename = $1
       and roles && array['public', 'anteroom_app']::name[] and qual not like '%current_office()%'`,
        [table],
      );
      expect(others).toEqual([]);
      const key = await column<string>(
        `select a.attname as it from pg_index i cross join unnest(i.indkey) with ordinality k(n, place)
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.n
       where i.indrelid = $1::regclass and i.indisprimary order by place`,
        [table],
      );
      expect(key).toEqual(table === 'office' ? ['id'] : ['office_id', 'id']);
    },
  );

  test.each(guarded)('%s: without an office, no row can be read, changed or written', async (table) => {
    const id = table === 'office' ? 'id' : 'office_id';
    await asApp(null, async (client) => {
      expect((await client.query(`select * from ${table}`)).rowCount).toBe(0);
      for (const write of [`update ${table} set ${id} = ${id}`, `delete from ${table}`]) {
        await client.query('savepoint here');
        const done = await client.query(write).catch((error: { code: string }) => error.code);
        if (typeof done === 'string') expect(done).toMatch(refusal);
        else expect(done.rowCount).toBe(0);
        await client.query('rollback to savepoint here');
      }
      const copied = await client
        .query(`insert into ${table} (${id}) select $1::uuid`, [maple.id])
        .catch((error: { code: string }) => error.code);
      expect(copied).toMatch(refusal);
    });
  });

  test.each(guarded)("%s: each of two offices sees its own rows, and cannot write the other's", async (table) => {
    const id = table === 'office' ? 'id' : 'office_id';
    await asApp(maple.id, async (client) => {
      const { rows } = await client.query<{ it: string }>(`select distinct ${id} as it from ${table}`);
      expect(rows).toEqual([{ it: maple.id }]);
      for (const write of [
        `update ${table} set ${id} = '${harbor.id}'`,
        `insert into ${table} (${id}) values ('${harbor.id}')`,
      ]) {
        await client.query('savepoint here');
        expect(await client.query(write).catch((error: { code: string }) => error.code), write).toMatch(refusal);
        await client.query('rollback to savepoint here');
      }
      const gone = await client
        .query(`delete from ${table} where ${id} = '${harbor.id}'`)
        .catch((error: { code: string }) => error.code);
      if (typeof gone === 'string') expect(gone).toMatch(refusal);
      else expect(gone.rowCount).toBe(0);
    });
  });

  test("views run with the caller's rights", async () => {
    const views = await column<string>(
      `select relname as it from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
       and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
       and not coalesce('security_invoker=true' = any(reloptions), false)`,
    );
    expect(views).toEqual([]);
    // Citus takes the view for one office only.
    const ofMaple = onCitus() ? `where office_id = '${maple.id}'` : '';
    await asApp(null, async (client) =>
      expect((await client.query(`select * from queue_entry ${ofMaple}`)).rowCount).toBe(0),
    );
  });

  test('an office set in one transaction does not carry over to the next on the same connection', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query(`set local app.office_id = '${maple.id}'`);
    expect((await client.query('select * from visit')).rowCount).toBeGreaterThan(0);
    await client.query('commit');
    expect((await client.query('select * from visit')).rowCount).toBe(0);
    client.release();
  });
});

describe("the app's role", () => {
  test("the app's role may log in, but is no superuser, bypasses and creates nothing, and belongs to no other role", async () => {
    const [role] = await column<Record<string, boolean>>(
      `select to_jsonb(r) - 'oid' - 'rolname' as it from (select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
       rolreplication from pg_roles where rolname = current_user) r`,
    );
    expect(new Set(Object.values(role ?? {}))).toEqual(new Set([false]));
    expect(await column(`select current_user::text as it union all select session_user::text`)).toEqual([
      'anteroom_app',
      'anteroom_app',
    ]);
    expect(await column(`select 1 as it from pg_auth_members where member = 'anteroom_app'::regrole`)).toEqual([]);
  });

  test("the app's role owns nothing", async () => {
    const owned = await column(
      `select relname::text as it from pg_class where relowner = 'anteroom_app'::regrole
       union all select proname::text from pg_proc where proowner = 'anteroom_app'::regrole
       union all select nspname::text from pg_namespace where nspowner = 'anteroom_app'::regrole`,
    );
    expect(owned).toEqual([]);
  });

  test.each([
    'update audit_entry set outcome = outcome',
    'delete from audit_entry',
    'truncate audit_entry',
    'update audit_seal set hmac = hmac',
    'delete from audit_seal',
    'truncate audit_seal',
    'insert into office (id) values (gen_random_uuid())',
    'delete from office',
    'create table mine (id int)',
    'alter table visit disable row level security',
    'drop policy own_office on visit',
    'select * from schema_migration',
    'update kysely_migration_lock set is_locked = 1',
    'set session_replication_role = replica',
  ])("the app's role may not: %s", async (statement) => {
    await asApp(maple.id, async (client) => {
      expect(await client.query(statement).catch((error: { code: string }) => error.code)).toBe('42501');
    });
  });
});

/** The security-definer functions: what may be looked up before an office is known, and what each returns. */
const entryPoints: Record<
  string,
  { opens: () => Promise<unknown>; to: () => unknown; stays: () => Promise<unknown[]> }
> = {
  // episode token
  'door_episode_by_token(bytea, timestamp with time zone)': {
    opens: () => row('select * from door_episode_by_token($1, $2)', [hashToken(maple.ids.episodeToken), testApp.now()]),
    to: () => ({ office_id: maple.id, episode_id: maple.ids.episodeId }),
    stays: () => rows('select * from door_episode_by_token($1, $2)', [hashToken('made up'), testApp.now()]),
  },
  'door_ended_link(text, bytea, timestamp with time zone)': {
    opens: () =>
      Promise.all(
        [
          ['episode', maple.ids.episodeToken],
          ['visit', maple.ids.token],
        ].map(([kind, token]) =>
          row('select * from door_ended_link($1, $2, $3)', [kind, hashToken(token ?? ''), new Date('2027-01-01')]),
        ),
      ),
    to: () => Array(2).fill({ office_name: 'MAPLE-office-name', office_phone: null, has_expired: true }),
    stays: async () => {
      const asked: [string, string, Date][] = [
        ['episode', 'made up', new Date('2027-01-01')],
        ['visit', 'made up', new Date('2027-01-01')],
        // A link that runs, and one that is asked for as the other kind.
        ['visit', maple.ids.token, testApp.now()],
        ['visit', maple.ids.episodeToken, new Date('2027-01-01')],
        ['episode', maple.ids.token, new Date('2027-01-01')],
      ];
      const found = asked.map(([kind, token, at]) =>
        rows('select * from door_ended_link($1, $2, $3)', [kind, hashToken(token), at]),
      );
      return (await Promise.all(found)).flat();
    },
  },
  'door_due_episodes(timestamp with time zone, integer)': {
    opens: async () => {
      const due = await rows<{ episode_id: string }>('select * from door_due_episodes($1, 50)', [
        new Date('2026-03-04'),
      ]);
      return due.map(({ episode_id }) => episode_id).includes(maple.ids.episodeId);
    },
    to: () => true,
    stays: () => rows('select * from door_due_episodes($1, 50)', [new Date('2000-01-01')]),
  },
  // visit token
  'door_visitor_by_token(bytea, timestamp with time zone)': {
    opens: () =>
      row('select office_id from door_visitor_by_token($1, $2)', [hashToken(maple.ids.visitorToken), testApp.now()]),
    to: () => ({ office_id: maple.id }),
    stays: () => rows('select * from door_visitor_by_token($1, $2)', [hashToken('made up'), testApp.now()]),
  },
  'door_visit_by_token(bytea, timestamp with time zone)': {
    opens: () =>
      row('select office_id, visit_id, proved, visit_proved from door_visit_by_token($1, $2)', [
        hashToken(maple.ids.token),
        testApp.now(),
      ]),
    to: () => ({ office_id: maple.id, visit_id: maple.ids.visitId, proved: false, visit_proved: false }),
    stays: () => rows('select * from door_visit_by_token($1, $2)', [hashToken('made up'), testApp.now()]),
  },
  // NPI page
  'door_office_by_npi(text)': {
    opens: () => row('select door_office_by_npi($1) as id', [maple.npi]),
    to: () => ({ id: maple.id }),
    stays: () => rows('select 1 where door_office_by_npi($1) is not null', ['2999999999']),
  },
  // inbound number, and the carrier's report
  'door_office_by_text_number(text)': {
    opens: () => row('select door_office_by_text_number($1) as id', [maple.ids.textNumber]),
    to: () => ({ id: maple.id }),
    stays: () => rows('select 1 where door_office_by_text_number($1) is not null', ['+13125550002']),
  },
  'door_text_by_provider(text)': {
    opens: () => row('select * from door_text_by_provider($1)', [maple.ids.providerId]),
    to: () => ({ office_id: maple.id, id: maple.ids.textId }),
    stays: () => rows('select * from door_text_by_provider($1)', ['SM0']),
  },
  // the e-signature provider's callback
  'door_agreement_by_request(text, text)': {
    opens: () => row('select office_id from door_agreement_by_request($1, $2)', ['local', 'MAPLE-request']),
    to: () => ({ office_id: maple.id }),
    stays: () => rows('select * from door_agreement_by_request($1, $2)', ['another', 'MAPLE-request']),
  },
  // person → offices
  'door_offices_by_merchant_key(text)': {
    opens: () => row('select * from door_offices_by_merchant_key($1)', ['local MAPLE-identity']),
    to: () => ({ office_id: maple.id }),
    stays: () => rows('select * from door_offices_by_merchant_key($1)', ['another MAPLE-identity']),
  },
  'door_offices_of(uuid)': {
    opens: () => row('select id from door_offices_of($1)', [maple.personId]),
    to: () => ({ id: maple.id }),
    stays: () => rows('select * from door_offices_of($1)', ['019f3333-3333-7333-8333-333333333333']),
  },
  'door_known_offices(uuid)': {
    opens: () => row('select door_known_offices($1) as id', [maple.personId]),
    to: () => ({ id: maple.id }),
    stays: () => rows('select door_known_offices($1)', ['019f3333-3333-7333-8333-333333333333']),
  },
  // Counts and ages over all offices, nothing that names one.
  'door_on_call(timestamp with time zone)': {
    opens: async () => Object.keys((await row('select * from door_on_call($1)', [testApp.now()])) ?? {}),
    to: () => ['texts_due', 'oldest_due_seconds', 'texts_unknown', 'entries_unsealed', 'oldest_unsealed_seconds'],
    stays: () => rows('select * from door_on_call($1) where texts_due > 0', [new Date('2000-01-01')]),
  },
  'door_lock_minutes(uuid)': {
    opens: () => row('select door_lock_minutes($1) as minutes', [maple.personId]),
    to: () => ({ minutes: 15 }),
    stays: async () =>
      (await rows<{ minutes: number }>('select door_lock_minutes($1) as minutes', [testApp.services.id()])).filter(
        ({ minutes }) => minutes !== 15,
      ),
  },
  'door_session(bytea, text, timestamp with time zone)': {
    opens: () =>
      row('select person_id, office_id, lock_minutes from door_session($1, $2, $3)', [
        hashToken(maple.token),
        harbor.id,
        testApp.now(),
      ]),
    to: () => ({ person_id: maple.personId, office_id: null, lock_minutes: 15 }),
    stays: () => rows('select * from door_session($1, $2, $3)', [hashToken('made up'), maple.id, testApp.now()]),
  },
  // a shared link, even if it has ended
  'door_share_by_token(bytea)': {
    opens: () => row('select * from door_share_by_token($1)', [shared]),
    to: () => ({ office_id: maple.id, id: maple.ids.shareId }),
    stays: () => rows('select * from door_share_by_token($1)', [hashToken('made up')]),
  },
  // an invitation's link; and the person who just proved an address
  'door_invitation_by_token(bytea, timestamp with time zone)': {
    opens: () => row('select * from door_invitation_by_token($1, $2)', [invited.tokenHash, testApp.now()]),
    to: () => ({ office_id: maple.id, invitation_id: maple.ids.invitationId }),
    stays: () => rows('select * from door_invitation_by_token($1, $2)', [hashToken('made up'), testApp.now()]),
  },
  'door_invitations_to(text, timestamp with time zone)': {
    opens: () => row('select * from door_invitations_to($1, $2)', [invited.value, testApp.now()]),
    to: () => ({ office_id: maple.id, invitation_id: maple.ids.invitationId }),
    stays: async () => [
      ...(await rows('select * from door_invitations_to($1, $2)', ['nobody@nowhere.test', testApp.now()])),
      ...(await rows('select * from door_invitations_to($1, $2)', [invited.value, new Date('2027-01-01')])),
    ],
  },
  'door_open_invitations(text[], timestamp with time zone)': {
    opens: () =>
      row('select office_id, id, value from door_open_invitations($1, $2)', [[invited.value], testApp.now()]),
    to: () => ({ office_id: maple.id, id: maple.ids.invitationId, value: invited.value }),
    stays: async () => [
      ...(await rows('select * from door_open_invitations($1, $2)', [['nobody@nowhere.test'], testApp.now()])),
      ...(await rows('select * from door_open_invitations($1, $2)', [[], testApp.now()])),
      ...(await rows('select * from door_open_invitations($1, $2)', [[invited.value], new Date('2027-01-01')])),
    ],
  },
  // job claims
  'door_due_payments(timestamp with time zone, integer)': {
    opens: async () => {
      await testApp.inOffice(maple, (tx) =>
        tx
          .updateTable('payment')
          .set({ checkAt: testApp.now() })
          .where('officeId', '=', maple.id)
          .where('id', '=', maple.ids.unknownId)
          .execute(),
      );
      return row('select * from door_due_payments($1, 10)', [testApp.now()]);
    },
    to: () => ({ office_id: maple.id, id: maple.ids.unknownId, kind: 'payment' }),
    stays: () => rows('select * from door_due_payments($1, 10)', [new Date(testApp.now().getTime() - 1)]),
  },
  'door_due_recordings(timestamp with time zone, integer)': {
    opens: async () => {
      await testApp.inOffice(maple, (tx) =>
        tx.updateTable('paymentRecording').set({ checkAt: testApp.now() }).where('officeId', '=', maple.id).execute(),
      );
      return row('select office_id from door_due_recordings($1, 10)', [testApp.now()]);
    },
    to: () => ({ office_id: maple.id }),
    stays: () => rows('select * from door_due_recordings($1, 10)', [new Date(testApp.now().getTime() - 1)]),
  },
  'door_due_pictures(timestamp with time zone, integer)': {
    opens: async () => {
      await testApp.inOffice(maple, (tx) =>
        tx.updateTable('incomingPicture').set({ dueAt: testApp.now() }).where('officeId', '=', maple.id).execute(),
      );
      return row('select * from door_due_pictures($1, 50)', [testApp.now()]);
    },
    to: () => ({ office_id: maple.id }),
    stays: () => rows('select * from door_due_pictures($1, 50)', [new Date(0)]),
  },
  'door_claim_pushes(timestamp with time zone, interval, integer)': {
    opens: async () => {
      await testApp.visit({ office: maple });
      const due = await rows(`select * from door_claim_pushes($1, '1 minute', 50)`, [testApp.now()]);
      return due.map((push) => Object.keys(push).sort());
    },
    // Of the arrival, and of the other office's callback.
    to: () => Array(2).fill(['auth', 'due_at', 'endpoint', 'id', 'language', 'office_id', 'p256dh', 'tries']),
    stays: () => rows(`select * from door_claim_pushes($1, '1 minute', 50)`, [testApp.now()]),
  },
  'door_due_auto_invites(timestamp with time zone, integer)': {
    opens: async () => {
      const visit = await testApp.visit({
        office: await testApp.office({ queueSettings: { autoInviteEnabled: true } }),
      });
      const due = await rows<{ visit_id: string }>('select * from door_due_auto_invites($1, 50)', [
        new Date(testApp.now().getTime() + 3_600_000),
      ]);
      return due.map(({ visit_id }) => visit_id === visit.id);
    },
    to: () => [true],
    stays: () => rows('select * from door_due_auto_invites($1, 50)', [testApp.now()]),
  },
  'door_claim_texts(text, timestamp with time zone, interval, integer)': {
    opens: async () => {
      const [text] = await rows<{ state: string }>(`select * from door_claim_texts('w', $1, '0 seconds', 1)`, [
        testApp.now(),
      ]);
      return Object.keys(text ?? {}).sort();
    },
    to: () => [
      'appointment_at',
      'block',
      'body',
      'from_phone',
      'id',
      'needs_link',
      'office_id',
      'opted_out',
      'sealed_link',
      'send_at',
      'to_phone',
      'tries',
    ],
    stays: () => rows(`select * from door_claim_texts('w', $1, '1 minute', 50)`, [new Date(0)]),
  },
  'door_take_over_texts(text, interval, integer)': {
    opens: async () => (await rows(`select * from door_take_over_texts('w2', '1 hour', 50)`)).length,
    to: () => 1,
    stays: () => rows(`select * from door_take_over_texts('w3', '1 hour', 50)`),
  },
  'door_due_agreements(timestamp with time zone, integer)': {
    opens: async () => {
      const unsigned = await testApp.office({ signed: false });
      const { officeId } = await openAgreement(unsigned);
      const due = await rows<{ office_id: string }>('select * from door_due_agreements($1, 50)', [testApp.now()]);
      return due.map(({ office_id }) => office_id === officeId);
    },
    to: () => [true],
    stays: () => rows('select * from door_due_agreements($1, 50)', [new Date(0)]),
  },
  'door_abandoned_operations(timestamp with time zone, text[], integer)': {
    opens: () =>
      row('select office_id, kind from door_abandoned_operations($1, $2, 50)', [
        new Date('2027-01-01'),
        ['card.customer'],
      ]),
    to: () => ({ office_id: maple.id, kind: 'card.customer' }),
    stays: async () => [
      ...(await rows('select * from door_abandoned_operations($1, $2, 50)', [testApp.now(), ['card.customer']])),
      ...(await rows('select * from door_abandoned_operations($1, $2, 50)', [new Date('2027-01-01'), ['another']])),
    ],
  },
  'door_due_merchant_applications(timestamp with time zone, integer)': {
    opens: async () => {
      const application = { officeId: maple.id, id: testApp.services.id(), provider: 'local', begunAt: testApp.now() };
      const checkAt = testApp.now();
      await testApp.inOffice(maple, (tx) =>
        tx
          .insertInto('merchantApplication')
          .values({ ...application, state: 'rejected', checkAt })
          .execute(),
      );
      const due = await rows<{ id: string }>('select * from door_due_merchant_applications($1, 50)', [testApp.now()]);
      return due.map(({ id }) => id === application.id);
    },
    to: () => [true],
    stays: () => rows('select * from door_due_merchant_applications($1, 50)', [new Date(0)]),
  },
  'door_due_agreement_reminders(timestamp with time zone, interval, interval, integer, integer)': {
    opens: async () => {
      const unsigned = await testApp.office({ signed: false });
      const due = await rows<{ office_id: string; number: number }>(
        `select * from door_due_agreement_reminders($1, '5 days', '2 days', 4, 50)`,
        [new Date(testApp.now().getTime() + 6 * 86_400_000)],
      );
      return due.filter(({ office_id }) => office_id === unsigned.id).map(({ number }) => number);
    },
    to: () => [1],
    stays: () => rows(`select * from door_due_agreement_reminders($1, '5 days', '2 days', 4, 50)`, [testApp.now()]),
  },
  // limited practices: the operator's list, which to email about, and names taken at an address
  'door_limited_offices()': {
    opens: async () => {
      const limited = await testApp.office({ confirmedBy: null });
      return (await column<string>('select door_limited_offices() as it')).includes(limited.id);
    },
    to: () => true,
    stays: async () => (await column<string>('select door_limited_offices() as it')).filter((id) => id === maple.id),
  },
  // practices that registered without a number for their texts, once the operator or their phone confirmed them
  'door_confirmed_without_number(integer)': {
    opens: async () => {
      const office = await testApp.office({ confirmedBy: 'operator', textNumber: null });
      return (await column<string>('select door_confirmed_without_number(50) as it')).includes(office.id);
    },
    to: () => true,
    stays: async () => {
      const limited = await testApp.office({ confirmedBy: null, textNumber: null });
      const offices = await column<string>('select door_confirmed_without_number(50) as it');
      return offices.filter((id) => id === maple.id || id === limited.id);
    },
  },
  'door_due_confirmation_mails(timestamp with time zone, integer)': {
    opens: async () => {
      const limited = await testApp.office({ confirmedBy: null });
      return (await column<string>('select door_due_confirmation_mails($1, 50) as it', [testApp.now()])).includes(
        limited.id,
      );
    },
    to: () => true,
    stays: async () =>
      (await column<string>('select door_due_confirmation_mails($1, 50) as it', [testApp.now()])).filter(
        (id) => id === maple.id,
      ),
  },
  'door_offices_near(text, text, text)': {
    opens: () => row('select id from door_offices_near($1, $2, $3) where id = $4', ['NY', 'maple-CITY', '', maple.id]),
    to: () => ({ id: maple.id }),
    stays: () => rows('select * from door_offices_near($1, $2, $3)', ['NJ', 'MAPLE-city', '11201']),
  },
  'door_office_ids()': {
    opens: async () => (await column<string>('select door_office_ids() as it')).includes(maple.id),
    to: () => true,
    stays: async () => [],
  },
};
const openAgreement = async (office: TestOffice) => {
  const running = { version: '2026-03', state: 'open' as const, provider: 'local', requestId: 'r', signatureId: 's' };
  const row = { officeId: office.id, id: testApp.services.id(), signerEmail: 'a@b.test', askedAt: testApp.now() };
  await testApp.inOffice(office, (tx) =>
    tx
      .insertInto('agreement')
      .values({ ...row, ...running, checkAt: testApp.now() })
      .execute(),
  );
  return row;
};
const rows = async <T extends object>(text: string, values: unknown[] = []) => (await pool.query<T>(text, values)).rows;
const row = async (text: string, values: unknown[]) => (await rows(text, values))[0];

describe('security-definer functions, used before the office is known', () => {
  test('the security-definer functions are exactly the settled ones, with a fixed search path and a separate owner', async () => {
    const found = await rows<{ name: string; path: string; owner: string; everyone: boolean }>(
      `select replace(p.oid::regprocedure::text, ',', ', ') as name, array_to_string(proconfig, ',') as path, proowner::regrole::text as owner,
       has_function_privilege('public', p.oid, 'execute') as everyone
       from pg_proc p where prosecdef and pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) order by 1`,
    );
    expect(found.map(({ name }) => name)).toEqual(Object.keys(entryPoints).sort());
    for (const { name, path, owner, everyone } of found) {
      expect(path, name).toMatch(/^search_path=pg_catalog, .*pg_temp$/);
      expect(owner, name).toBe('anteroom_door');
      expect(everyone, name).toBe(false);
    }
  });

  test("only the owner may replace the queue's functions", async () => {
    const allowed = await column<boolean>(
      `select has_function_privilege('public', 'make_queue_functions()', 'execute') as it`,
    );
    expect(allowed).toEqual([false]);
  });

  test.each(Object.entries(entryPoints))('%s returns only what it is meant to return', async (_name, entryPoint) => {
    expect(await entryPoint.opens()).toEqual(entryPoint.to());
    expect(await entryPoint.stays()).toEqual([]);
  });

  test('the role of the security-definer functions reads just what they need, and can only claim texts and pushes', async () => {
    const grants = await column<string>(
      `select c.relname || ' ' || a.privilege_type as it from pg_class c, aclexplode(c.relacl) a
       where a.grantee = 'anteroom_door'::regrole and a.privilege_type <> 'SELECT' order by 1`,
    );
    expect(grants).toEqual(['push_subscription UPDATE', 'text UPDATE']);
    const [role] = await column<boolean>(
      `select rolsuper or rolbypassrls or rolcreaterole or (rolcanlogin and not $1) as it from pg_roles where rolname = 'anteroom_door'`,
      // The coordinator of a Citus cluster logs in to the other nodes as the role of the statement.
      [onCitus()],
    );
    expect(role).toBe(false);
  });
});
