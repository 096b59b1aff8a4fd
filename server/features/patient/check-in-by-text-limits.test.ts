import { expect, test } from 'vitest';
import { linkTextLimits, textLimits, textsFromNumber } from '#contract/texting.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
import { checkIn, list, newPhone, office, openPatientApp, testApp, textsTo } from '#testing/fixtures/patient-phone.ts';
import { useTextLimit } from '#testing/fixtures/texts.ts';
import { says, expects, answersTo } from '#testing/fixtures/check-in-by-text.ts';

openPatientApp();

/** The points that this practice's limits of texts have counted. */
const pointsTaken = async () => {
  const limits = [textLimits.perOffice, linkTextLimits.perOffice, linkTextLimits.perOfficeToStrangers];
  const { rows } = await testApp.services.pool.query<{ key: string; points: number }>(
    'select key, points from rate_limit where key = any($1) and points > 0 order by key',
    [limits.map((limit) => rateLimitKey(limit, office.id))],
  );
  return rows;
};

test('a flood of texts checks nobody in', async () => {
  const phone = newPhone();
  await expects(phone);
  await useTextLimit(testApp, textsFromNumber.name, `${office.id} ${phone}`, textsFromNumber.points);
  await says(phone, 'HERE');
  expect(await list()).toEqual([]);
  expect(await answersTo(phone)).toEqual([]);
});

test('HERE to one practice changes nothing at another that expects the same number', async () => {
  const phone = newPhone();
  const other = await testApp.office({ name: 'CANARY Harbor' });
  await expects(phone);
  await says(phone, 'HERE', other);
  expect(await list()).toEqual([]);
  expect(await list(other)).toEqual([]);
  expect(await answersTo(phone)).toEqual([]);
  expect((await textsTo(phone, other)).map(({ sent }) => sent)).toEqual([expect.stringContaining(`/c/${other.npi}`)]);
});

test('beyond the limit of texts the patient is checked in without an answer', async () => {
  const phone = newPhone();
  await expects(phone);
  await useTextLimit(testApp, 'texts-office-number', `${office.id} ${phone}`, 15);
  await says(phone, 'HERE');
  expect(await list()).toMatchObject([{ statusCode: 'WAITING' }]);
  expect(await answersTo(phone)).toEqual([]);
});

test('an answer that a limit refused is sent when the patient texts HERE again', async () => {
  const phone = newPhone();
  await expects(phone);
  await useTextLimit(testApp, 'texts-office-number', `${office.id} ${phone}`, 15);
  await says(phone, 'HERE');
  await useTextLimit(testApp, 'texts-office-number', `${office.id} ${phone}`, 1);
  await says(phone, 'HERE');
  expect(await answersTo(phone)).toEqual([expect.stringContaining("you're checked in")]);
});

test('HERE of strangers takes nothing from the texts of the practice', async () => {
  await useTextLimit(testApp, 'texts-office', office.id, 1_000_000);
  const [stranger, another] = [newPhone(), newPhone()];
  await says(stranger, 'HERE');
  expect(await textsTo(stranger)).toHaveLength(1);
  await useTextLimit(testApp, linkTextLimits.perOffice.name, office.id, linkTextLimits.perOffice.points);
  await says(another, 'HERE');
  expect(await textsTo(another)).toEqual([]);
});

test('a number that got its links of the hour gets no further answer to HERE, at any practice', async () => {
  const phone = newPhone();
  const { name, points } = linkTextLimits.perNumber;
  await useTextLimit(testApp, name, phone, points - 1);
  await says(phone, 'HERE');
  expect(await textsTo(phone)).toHaveLength(1);
  const other = await testApp.office({ name: 'CANARY Harbor' });
  await says(phone, 'HERE', other);
  expect(await textsTo(phone, other)).toEqual([]);
});

test('HERE of strangers leaves links of the practice to those who check in', async () => {
  for (let n = 0; n <= linkTextLimits.perOfficeToStrangers.points; n++) await says(newPhone(), 'HERE');
  expect(await testApp.texts(office)).toHaveLength(linkTextLimits.perOfficeToStrangers.points);
  expect(linkTextLimits.perOfficeToStrangers.points).toBeLessThan(linkTextLimits.perOffice.points);
  const phone = newPhone();
  await checkIn({ phone });
  expect((await checkIn({ phone })).body.outcome).toBe('link-sent');
});

test('HERE of a number beyond a limit takes nothing from the limits of the practice', async () => {
  const [phone, stranger] = [newPhone(), newPhone()];
  await expects(phone);
  await useTextLimit(testApp, textLimits.perNumberEverywhere.name, phone, textLimits.perNumberEverywhere.points);
  await useTextLimit(testApp, linkTextLimits.perNumber.name, stranger, linkTextLimits.perNumber.points);
  const before = await pointsTaken();
  for (let n = 0; n < 5; n++) {
    await says(phone, 'HERE');
    await says(stranger, 'HERE');
  }
  expect(await answersTo(phone)).toEqual([]);
  expect(await textsTo(stranger)).toEqual([]);
  expect(await pointsTaken()).toEqual(before);
});
