import { afterAll, beforeAll, expect, test } from 'vitest';
import { patientCheckIn, queue } from '#contract/index.ts';
import { limitedTextsPerDay, linkTextLimits, textLimits } from '#contract/texting.ts';
import { rateLimitKey, type Limit } from '#server/kit/http/rate-limits.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let t: TestApp;
let beside: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  beside = await openTestApp({ beside: t });
});
afterAll(async () => {
  await beside.close();
  await t.close();
});

const phone = (n: number) => `+1646555${String(3000 + n)}`;
const checkIn = (office: TestOffice, number: string, language: 'en' | 'es' = 'en', process = t) =>
  process.call(
    patientCheckIn.checkIn,
    {
      params: { npi: office.npi },
      body: {
        firstName: 'Ada',
        lastName: 'Byron',
        birthDate: '1990-12-10',
        phone: number,
        household: [],
        language,
      },
    },
    { as: null, headers: { 'accept-language': language } },
  );
/** As if others had used up this budget, or a part of it. */
const useUp = async (limit: Limit, key: string, points = limit.points) => {
  await t.services.pool.query(
    'insert into rate_limit (key, points, expire) values ($1, $2, $3) on conflict (key) do update set points = $2, expire = $3',
    [rateLimitKey(limit, key), points, t.now().getTime() + limit.seconds * 1000],
  );
};
const pointsOf = async (limit: Limit, key: string) => {
  const { rows } = await t.services.pool.query<{ points: number }>('select points from rate_limit where key = $1', [
    rateLimitKey(limit, key),
  ]);
  return rows[0]?.points ?? 0;
};
const invite = (office: TestOffice, id: string) =>
  t.call(queue.moveVisit, { body: { id, action: 'INVITED' } }, { as: office });

test('one network address can request 20 texted links an hour, which do not count against the desk’s limit', async () => {
  const office = await t.office();
  const replies = [];
  for (let n = 0; n < linkTextLimits.perNetwork.points + 2; n++) {
    await t.visit({ office, phone: phone(n) });
    replies.push(await checkIn(office, phone(n)));
  }
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(linkTextLimits.perNetwork.points);
  const refused = replies.at(-1);
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_link_texts' } });
  expect(refused?.headers['retry-after']).toBe('3600');
  expect(await t.texts(office)).toHaveLength(linkTextLimits.perNetwork.points);
  expect(await pointsOf(textLimits.perOffice, office.id)).toBe(0);
  expect(await pointsOf(textLimits.perNumberEverywhere, phone(0))).toBe(0);
  t.later(61);
});

test('a practice whose public links are used up for the hour still texts from the desk, and still checks patients in', async () => {
  const office = await t.office();
  const visit = await t.visit({ office, phone: phone(40) });
  await useUp(linkTextLimits.perOffice, office.id);
  const refused = await checkIn(office, phone(40), 'es');
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_link_texts' } });
  expect(refused.body.title).toContain('avise en recepción');
  expect((await checkIn(office, phone(41))).body.outcome).toBe('visit');
  expect((await invite(office, visit.id)).status).toBe(200);
  expect((await t.texts(office)).map(({ kind, state }) => [kind, state])).toEqual([['invite', 'queued']]);
  const next = await t.office();
  await t.visit({ office: next, phone: phone(42) });
  expect((await checkIn(next, phone(42))).body.outcome).toBe('link-sent');
});

test('a desk that has used up its texts leaves the links of its patients alone', async () => {
  const office = await t.office();
  await t.visit({ office, phone: phone(50) });
  await useUp(textLimits.perOffice, office.id);
  expect((await checkIn(office, phone(50))).body.outcome).toBe('link-sent');
});

test('a limited practice has 10 links texted a day, and they count towards its 50 texts of the day', async () => {
  const office = await t.office({ confirmedBy: null });
  const perDay = linkTextLimits.perLimitedOffice.points;
  const visits = [];
  for (let n = 0; n < limitedTextsPerDay; n++) visits.push(await t.visit({ office, phone: phone(100 + n) }));
  const replies = [];
  for (let n = 0; n <= perDay; n++) replies.push(await checkIn(office, phone(100 + n)));
  expect(replies.map(({ status }) => status)).toEqual([...Array<number>(perDay).fill(200), 429]);
  const invited = [];
  for (const { id } of visits) invited.push((await invite(office, id)).status);
  expect(new Set(invited)).toEqual(new Set([200]));
  const texts = await t.texts(office);
  expect(texts.filter(({ kind, state }) => kind === 'link' && state === 'queued')).toHaveLength(perDay);
  expect(texts.filter(({ state }) => state === 'queued')).toHaveLength(limitedTextsPerDay);
  expect(texts.filter(({ kind, state }) => kind === 'invite' && state === 'held')).toHaveLength(perDay);
});

test('a limited practice whose desk has sent the 50 texts of the day has no link texted until its midnight', async () => {
  const office = await t.office({ confirmedBy: null });
  const visits = [];
  for (let n = 0; n < limitedTextsPerDay; n++) visits.push(await t.visit({ office, phone: phone(200 + n) }));
  for (const { id } of visits) await invite(office, id);
  const reply = await checkIn(office, phone(200));
  expect(reply).toMatchObject({ status: 429, body: { code: 'too_many_link_texts' } });
  const again = new Date(t.now().getTime() + Number(reply.headers['retry-after']) * 1000);
  expect(again.toLocaleString('en-US', { timeZone: 'America/New_York', timeStyle: 'medium' })).toBe('12:00:00 AM');
  expect((await t.texts(office)).filter(({ kind }) => kind === 'link')).toEqual([]);
});

test('links texted for practices that are not confirmed do not keep a confirmed practice from texting a link to that number', async () => {
  const unconfirmed = [];
  for (let n = 0; n < 4; n++) unconfirmed.push(await t.office({ confirmedBy: null }));
  const office = await t.office();
  for (const one of [...unconfirmed, office]) await t.visit({ office: one, phone: phone(60) });
  const replies = [];
  for (const one of unconfirmed) for (let n = 0; n < 3; n++) replies.push(await checkIn(one, phone(60)));
  expect((await checkIn(office, phone(60))).body.outcome).toBe('link-sent');
  expect(await t.texts(office)).toHaveLength(1);
  const { points } = linkTextLimits.perNumberOfUnconfirmed;
  expect(replies.map(({ status }) => status)).toEqual(Array.from(replies, (_, n) => (n < points ? 200 : 429)));
  expect(replies.at(-1)?.body.code).toBe('too_many_link_texts');
  t.later(61);
});

/** Eight requests for a link that have one budget in common: whose link, and the key of that budget. */
const races = {
  perNetwork: async () => {
    const office = await t.office();
    return {
      asks: Array.from({ length: 8 }, (_, n) => ({ office, number: phone(300 + n) })),
      key: networkOfAddress('127.0.0.1'),
    };
  },
  perNumber: async () => {
    const asks = [];
    for (let n = 0; n < 8; n++) asks.push({ office: await t.office(), number: phone(320) });
    return { asks, key: phone(320) };
  },
  perNumberOfUnconfirmed: async () => {
    const asks = [];
    for (let n = 0; n < 8; n++) asks.push({ office: await t.office({ confirmedBy: null }), number: phone(330) });
    return { asks, key: phone(330) };
  },
  perOffice: async () => {
    const office = await t.office();
    return { asks: Array.from({ length: 8 }, (_, n) => ({ office, number: phone(340 + n) })), key: office.id };
  },
  perLimitedOffice: async () => {
    const office = await t.office({ confirmedBy: null });
    return { asks: Array.from({ length: 8 }, (_, n) => ({ office, number: phone(360 + n) })), key: office.id };
  },
} as const;

test.each(Object.keys(races) as (keyof typeof races)[])(
  '8 parallel requests in two processes at the last link of %s: exactly one text is sent',
  async (name) => {
    const { asks, key } = await races[name]();
    for (const { office, number } of asks) await t.visit({ office, phone: number });
    await t.services.pool.query('delete from rate_limit');
    await useUp(linkTextLimits[name], key, linkTextLimits[name].points - 1);
    const replies = await Promise.all(
      asks.map(({ office, number }, n) => checkIn(office, number, 'en', n % 2 ? t : beside)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(429)]);
    expect(replies.find(({ status }) => status === 200)?.body.outcome).toBe('link-sent');
    expect(new Set(replies.flatMap(({ body }) => body.code ?? []))).toEqual(new Set(['too_many_link_texts']));
    const offices = [...new Map(asks.map(({ office }) => [office.id, office])).values()];
    const texts = (await Promise.all(offices.map((office) => t.texts(office)))).flat();
    expect(texts.map(({ kind, state }) => [kind, state])).toEqual([['link', 'queued']]);
  },
);
