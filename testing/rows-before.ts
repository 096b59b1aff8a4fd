import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { hashToken, newToken } from '#server/kit/secret.ts';

/** The migration that `addRowsBefore` writes rows for: the newest one of the first release. */
export const firstRelease = '0086_own_forms.sql';

/**
 * Rows as the first release wrote them, through a superuser's connection: two practices, a person of the first one who is signed in, and
 * visits with links from the poster and in texts. `today` and `longAgo` are visits; each has a poster's link and a texted one.
 */
export async function addRowsBefore(client: pg.Client) {
  const add = (table: string, row: Record<string, unknown>) => {
    const columns = Object.keys(row);
    return client.query(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')})`,
      Object.values(row),
    );
  };
  const now = new Date();
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  const dayIn = (time: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(time);

  const practice = async (npi: string) => {
    const id = randomUUID();
    const address = { address_line1: '48 Maple Street', city: 'Brooklyn', state: 'NY', zip: '11201' };
    await add('office', {
      id,
      npi,
      name: 'Maple Street Pediatrics',
      ...address,
      time_zone: 'America/New_York',
      text_number: `+1212556${npi.slice(-4)}`,
      agreement_signed_at: at(-999),
      created_at: at(-1_000),
      queue_settings: {
        autoInviteEnabled: false,
        autoInviteWaitTime: 900,
        lateMinutes: { WAITING: 10, INVITED: 15, GOING: 40 },
        openingHours: null,
        greeting: { en: '', es: '' },
        readyItems: [],
      },
    });
    await add('office_npi', { office_id: id, id: randomUUID(), npi, current: true });
    return id;
  };
  const office_id = await practice('2345678901');
  const other = await practice('2345678902');

  const person_id = randomUUID();
  const staffToken = newToken();
  const [email, signedInAt] = ['dana@maple.test', at(-5)];
  await add('auth.person', { id: person_id, name: 'Dana Whitlock', created_at: at(-900) });
  await add('auth.identity', { id: randomUUID(), person_id, kind: 'email', value: email, verified_at: at(-900) });
  await add('membership', { office_id, id: randomUUID(), person_id, created_at: at(-900) });
  for (const [started, token_hash] of [
    [at(-300), hashToken(newToken())] as const,
    [signedInAt, hashToken(staffToken)] as const,
  ]) {
    const session = { id: randomUUID(), person_id, token_hash, kind: 'bearer' };
    await add('auth.session', { ...session, created_at: started, active_at: now, expires_at: at(500) });
    const entry = { office_id, at: started, actor: 'staff', actor_id: person_id };
    await add('audit_entry', { ...entry, action: 'session.start', subject: session.id });
  }

  const visit = async (phone: string, day: string, arrived: Date) => {
    const [patient_id, visit_id] = [randomUUID(), randomUUID()];
    const name = { first_name: 'Ada', last_name: 'Byron' };
    await add('patient', {
      office_id,
      id: patient_id,
      user_code: patient_id.slice(0, 8),
      phone,
      ...name,
      created_at: arrived,
    });
    await add('visit', {
      office_id,
      id: visit_id,
      patient_id,
      day,
      status: 'INVITED',
      phone,
      ...name,
      created_at: arrived,
      arrived_at: arrived,
      status_at: arrived,
      invited_at: arrived,
    });
    const link = async (created_at: Date) => {
      const [id, token] = [randomUUID(), newToken()];
      const row = { office_id, id, visit_id, token_hash: hashToken(token), created_at, expires_at: at(6) };
      await add('visit_token', row);
      return { id, token };
    };
    const poster = await link(arrived);
    /** A text with a link of its own, as that release kept it: with the link in both bodies. */
    const text = async (state: string) => {
      const made = await link(at(-0.2));
      const id = randomUUID();
      const body = `Please come in now. http://localhost:3000/visit/${made.token}`;
      await add('text', {
        office_id,
        id,
        kind: 'invite',
        visit_id,
        patient_id,
        from_phone: '+12125568901',
        to_phone: phone,
        body,
        state,
        send_at: at(-0.2),
        created_at: at(-0.2),
        provider_id: state === 'queued' || state === 'held' ? null : `SM-${id}`,
      });
      const message = { office_id, id: randomUUID(), visit_id, at: at(-0.2), sender: 'office' };
      await add('message', { ...message, kind: 'invite', body, text_id: id });
      return { id, token: made.token };
    };
    const member_id = randomUUID();
    await add('visit_member', { office_id, id: member_id, visit_id, position: 0, ...name });
    await add('form_submission', {
      office_id,
      id: randomUUID(),
      visit_id,
      member_id,
      definition_id: randomUUID(),
      form_type: 'HEALTH',
      form_version: 1,
      form_name: 'Health',
      language: 'en',
      state: 'draft',
      version: 1,
      answers: {},
      patient_name: 'Ada Byron',
      search_name: 'ada byron',
      started_at: at(-0.5),
      saved_at: at(-0.3),
    });
    return { id: visit_id, phone, poster, text };
  };
  const sharedWith = async (visit_id: string) => {
    const token = newToken();
    const share = { office_id, id: randomUUID(), visit_id, token_hash: hashToken(token), shared_with: 'School' };
    await add('share_link', { ...share, submission_ids: [], created_at: at(-1), expires_at: at(24) });
    return token;
  };
  const invitationToken = newToken();
  await add('invitation', {
    office_id,
    id: randomUUID(),
    kind: 'email',
    value: 'ellis@maple.test',
    token_hash: hashToken(invitationToken),
    invited_by: person_id,
    invited_by_name: 'Dana Whitlock',
    created_at: at(-2),
    expires_at: at(100),
  });
  const device_id = randomUUID();
  await add('auth.device', { id: device_id, token_hash: hashToken(newToken()), created_at: at(-9), last_seen_at: now });
  const subscription = { office_id, id: randomUUID(), person_id, device_id, endpoint: 'https://push.test/1' };
  await add('push_subscription', { ...subscription, p256dh: 'p', auth: 'a', created_at: at(-9) });
  const request = { provider: 'local', request_id: 'request-1', signer_email: email, asked_at: at(-999) };
  const agreement = { office_id, id: randomUUID(), version: '2026-03', state: 'signed' };
  await add('agreement', { ...agreement, ...request, signed_at: at(-999) });
  const registration = { person_id, form_id: 'form-1', office_id, saved_at: at(-1_000), registered_at: at(-1_000) };
  await add('auth.registration', registration);
  await add('auth.npi_claim', { person_id, office_id: other, npi: '2345678902', claimed_at: at(-3) });

  const today = await visit('+12125550101', dayIn(now), at(-0.5));
  const longAgo = await visit('+12125550102', dayIn(at(-48)), at(-48));
  const waiting = await visit('+12125550103', dayIn(now), at(-0.5));
  return {
    now,
    offices: [office_id, other],
    personId: person_id,
    email,
    staffToken,
    invitationToken,
    shareToken: await sharedWith(today.id),
    signedInAt,
    today: { ...today, texted: await today.text('sent') },
    longAgo: { ...longAgo, texted: await longAgo.text('delivered') },
    /** Its texts had not left when the upgrade began. */
    waiting: { ...waiting, queued: await waiting.text('queued'), held: await waiting.text('held') },
  };
}
