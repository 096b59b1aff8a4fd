import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { conversationMessages, conversations, patient, patientMessages, queue } from '#contract/index.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { photo } from '#testing/fixtures/forms.ts';
import { patientTexts, withCarrier } from '#testing/fixtures/texts.ts';
import { keepMedia } from '#server/providers/sms/local.ts';
import { fetchDuePictures } from './incoming-pictures.ts';

const t = await openTestApp();
afterAll(() => t.close());

let numbers = 0;
const newPhone = () => `+1646555${String(7000 + ++numbers)}`;
const file = async (content: Buffer, type = 'image/jpeg') => ({ source: await keepMedia(t.services, content), type });
const sends = (phone: string, body: string, ...media: { source: string; type: string }[]) =>
  patientTexts(t, phone, body, { media });
async function threadOf(phone: string) {
  const { body } = await t.call(conversations.searchInbox, { body: { search: phone.slice(2) } });
  const id = body.conversations[0]?.pk ?? '';
  return (await t.call(conversations.readConversation, { params: { id }, query: {} })).body;
}
const problemsOf = async (phone: string) => (await threadOf(phone)).messages.map((one) => one.missingPicture);
const files = () => t.inOffice(t.maple, (tx) => tx.selectFrom('messageFile').selectAll().execute());
const fetchAll = async (services = t.services) => {
  while (await fetchDuePictures(services));
};

test('a texted picture is shown in the thread, with the visit and on the page of the texted link', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  expect(await sends(phone, 'My insurance card', await file(await photo(300, 200)))).toBe(200);
  expect((await threadOf(phone)).messages.at(-1)).toMatchObject({
    type: 'image',
    body: 'My insurance card',
    sender: 'patient',
    picture: null,
    missingPicture: 'fetching',
  });
  await fetchAll();
  const { conversation, messages } = await threadOf(phone);
  expect(conversation).toMatchObject({ lastType: 'image', doctorUnread: 1, unanswered: true });
  const shown = { picture: { width: 300, height: 200 }, missingPicture: null };
  expect(messages.at(-1)).toMatchObject(shown);
  const attachmentId = messages.at(-1)?.objectKey ?? '';

  const opened = (await t.call(queue.readVisit, { params: { visitId: visit.id } })).body;
  expect(opened.messages.at(-1)).toMatchObject({ from: 'patient', body: 'My insurance card', ...shown });
  const token = await t.provedToken(visit.id);
  const page = (await t.call(patient.readPatientVisit, { params: { token } }, { as: null })).body;
  expect(page.messages.at(-1)).toMatchObject({ from: 'patient', ...shown });
  const { status, body: link } = await t.call(
    patientMessages.linkToVisitPicture,
    { params: { token, attachmentId } },
    { as: null },
  );
  expect(status).toBe(200);
  expect((await t.app.inject({ method: 'GET', url: link.url })).headers['content-type']).toBe('image/jpeg');
});

test('only the two sides of a conversation can open its picture', async () => {
  const phone = newPhone();
  const visit = await t.visit({ phone });
  await sends(phone, '', await file(await photo()));
  await fetchAll();
  const { conversation, messages } = await threadOf(phone);
  const attachmentId = messages.at(-1)?.objectKey ?? '';
  const openWith = async (token: string) =>
    (await t.call(patientMessages.linkToVisitPicture, { params: { token, attachmentId } }, { as: null })).status;
  expect(await openWith(await t.provedToken(visit.id))).toBe(200);
  expect(await openWith(visit.token)).toBe(403);
  expect(await openWith(await t.provedToken((await t.visit({ phone: newPhone() })).id))).toBe(404);
  expect(await openWith(await t.provedToken((await t.visit({ phone, office: t.other })).id, t.other))).toBe(404);
  const params = { id: conversation.pk, attachmentId };
  expect((await t.call(conversationMessages.linkToPicture, { params })).status).toBe(200);
  expect((await t.call(conversationMessages.linkToPicture, { params }, { as: t.other })).status).toBe(404);
});

test('several files of one text become separate messages in order; one that is not a picture says so', async () => {
  const phone = newPhone();
  await sends(
    phone,
    'Two pictures and a video',
    await file(await photo(300, 200)),
    await file(Buffer.from('video'), 'video/mp4'),
    await file(
      await sharp(await photo(40, 30))
        .gif()
        .toBuffer(),
      'image/gif',
    ),
  );
  await fetchAll();
  const { messages } = await threadOf(phone);
  expect(messages.map(({ body, picture, missingPicture }) => [body, picture?.width ?? missingPicture])).toEqual([
    ['Two pictures and a video', 300],
    ['', 'not-a-picture'],
    ['', 40],
  ]);
});

test('a picture that cannot be read, is too large or is gone says so in the thread, and is not stored', async () => {
  const before = (await files()).length;
  const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: '#000' } })
    .png()
    .toBuffer();
  const cases = [
    [await file(Buffer.from('<svg onload=alert(1)>')), 'unreadable'],
    [await file(bomb, 'image/png'), 'too-large'],
    [await file(Buffer.alloc(10_000_001)), 'too-large'],
    [{ source: randomUUID(), type: 'image/png' }, 'unavailable'],
  ] as const;
  for (const [media, problem] of cases) {
    const phone = newPhone();
    await sends(phone, 'Look', media);
    await fetchAll();
    expect(await problemsOf(phone)).toEqual([problem]);
  }
  expect(await files()).toHaveLength(before);
});

test('while the carrier is away a picture waits, and after an hour of tries it says that it did not come', async () => {
  const [first, second] = [newPhone(), newPhone()];
  await sends(first, 'Look', await file(await photo()));
  const away = withCarrier(t.services, { fetchMedia: () => Promise.reject(new Error('503')) });
  await fetchAll(away);
  expect(await problemsOf(first)).toEqual(['fetching']);
  await fetchAll();
  expect(await problemsOf(first)).toEqual(['fetching']);
  t.later(1);
  await fetchAll();
  expect(await problemsOf(first)).toEqual([null]);

  await sends(second, 'Look', await file(await photo()));
  for (let tries = 0; tries < 12; tries++) {
    await fetchAll(away);
    t.later(10);
  }
  expect(await problemsOf(second)).toEqual(['unavailable']);
});

test('two processes that fetch at once store a picture once; so do two copies of one callback', async () => {
  const phone = newPhone();
  const media = [await file(await photo())];
  const providerId = randomUUID();
  const before = (await files()).length;
  await Promise.all([1, 2].map(() => patientTexts(t, phone, 'Look', { providerId, media })));
  await Promise.all([fetchDuePictures(t.services), fetchDuePictures(t.services)]);
  expect((await threadOf(phone)).messages).toHaveLength(1);
  expect(await files()).toHaveLength(before + 1);
});

test('a number that sends pictures without end gets 30 of them shown in an hour', async () => {
  const phone = newPhone();
  const picture = await file(await photo(20, 10));
  for (let text = 0; text < 4; text++) await sends(phone, '', ...Array.from({ length: 8 }, () => picture));
  await fetchAll();
  const problems = await problemsOf(phone);
  expect([problems.filter((one) => one === null).length, problems.filter((one) => one === 'too-many').length]).toEqual([
    30, 2,
  ]);
});

test('a picture beyond the limit of its practice waits until others are shown again, a day at most, and counts once for its sender', async () => {
  const [phone, unlucky] = [newPhone(), newPhone()];
  const pool = t.services.pool;
  const keyOf = (name: string, key: string) => rateLimitKey({ name, points: 0, seconds: 0 }, key);
  const ofPractice = keyOf('incoming-pictures', t.maple.id);
  const useUp = () =>
    pool.query(
      'insert into rate_limit values ($1, 300, $2) on conflict (key) do update set points = excluded.points, expire = excluded.expire',
      [ofPractice, Date.now() + 3_600_000],
    );
  await useUp();
  await sends(phone, 'Look', await file(await photo(20, 10)));
  await fetchAll();
  expect(await problemsOf(phone)).toEqual(['fetching']);
  await pool.query('delete from rate_limit where key = $1', [ofPractice]);
  t.later(60);
  await fetchAll();
  expect(await problemsOf(phone)).toEqual([null]);
  const ofSender = keyOf('incoming-pictures-conversation', `${t.maple.id} ${(await threadOf(phone)).conversation.pk}`);
  const { rows } = await pool.query('select points from rate_limit where key = $1', [ofSender]);
  expect(rows).toEqual([{ points: 1 }]);

  await useUp();
  await sends(unlucky, 'Look', await file(await photo(20, 10)));
  await fetchAll();
  t.later(24 * 60);
  await fetchAll();
  expect(await problemsOf(unlucky)).toEqual(['too-many']);
});
