import { afterAll, beforeAll, expect, test } from 'vitest';
import { agreement, officeDetails } from '#contract/index.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { askForLink, openPage, press, providerTells } from '#testing/fixtures/signing.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

const { readUnsignedDetails, correctDetails } = officeDetails;
const unsigned = () => t.office({ signed: false });
const read = (as: TestOffice | null) => t.call(readUnsignedDetails, {}, { as });
async function correct(as: TestOffice, change: Partial<officeDetails.OfficeDetails>) {
  const { npi: _, npiProvisional: __, ...details } = (await read(as)).body;
  const whole = { ...details, itContact: 'Ann', patientSize: '501-1000', agesTreated: ['Adults'], email: 'a@b.test' };
  return t.call(correctDetails, { body: { ...whole, ...change } }, { as });
}
const statusOf = async (as: TestOffice) => (await t.call(agreement.readAgreement, {}, { as })).body;
const titleOf = async (url: string) => (await openPage(t, url)).body;

test('before anything is signed the name is put right, and the agreement names it', async () => {
  const office = await unsigned();
  expect((await correct(office, { name: 'Birch Family Care' })).body).toMatchObject({ name: 'Birch Family Care' });
  expect((await read(office)).body).toMatchObject({ name: 'Birch Family Care', agesTreated: ['Adults'] });
  expect((await statusOf(office)).officeName).toBe('Birch Family Care');
  const { body } = await askForLink(t, office);
  expect(await titleOf(body.url ?? '')).toContain('Birch Family Care');
  expect((await t.auditEntries(office)).map(({ action }) => action)).toContain('office.change');
});

test('a request that waits for its signer is taken back: its page signs nothing, the next one has the right name', async () => {
  const office = await unsigned();
  const { key } = await openPage(t, (await askForLink(t, office)).body.url ?? '');
  expect((await correct(office, { name: 'Cedar Clinic' })).status).toBe(200);
  expect((await statusOf(office)).agreement).toMatchObject({ state: 'canceled' });
  expect(await press(t, key, 'sign')).toMatchObject({ state: 'canceled' });
  expect(await titleOf((await askForLink(t, office)).body.url ?? '')).toContain('Cedar Clinic');
});

test('signed a moment before: the signature stands, and nothing is changed here', async () => {
  const office = await unsigned();
  const { name } = (await read(office)).body;
  const { key } = await openPage(t, (await askForLink(t, office)).body.url ?? '');
  await press(t, key, 'sign');
  expect(await correct(office, { name: 'Too Late' })).toMatchObject({
    status: 409,
    body: { code: 'agreement_signed' },
  });
  await providerTells(t);
  expect(await read(office)).toMatchObject({ status: 409, body: { code: 'agreement_signed' } });
  expect((await statusOf(office)).officeName).toBe(name);
});

test('what is wrong is said by its field, and the request that waits for its signer stays', async () => {
  const office = await unsigned();
  await askForLink(t, office);
  expect(await correct(office, { name: ' ', zip: '1' })).toMatchObject({
    status: 400,
    body: { code: 'registration_incomplete', current: { errorList: [{ field: 'zip' }, { field: 'name' }] } },
  });
  expect((await statusOf(office)).agreement).toMatchObject({ state: 'open' });
});

test('ten corrections and ten clicks on "Read and sign" at once: what is signed names the office as it is', async () => {
  const office = await unsigned();
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => [correct(office, { name: `Name ${n}` }), askForLink(t, office)]).flat(),
  );
  const { name } = (await read(office)).body;
  expect(await titleOf((await askForLink(t, office)).body.url ?? '')).toContain(name);
});

test('only one’s own office', async () => {
  const [office, other] = [await unsigned(), await unsigned()];
  await correct(office, { name: 'Mine' });
  expect((await read(other)).body.name).not.toBe('Mine');
  expect((await read(null)).status).toBe(401);
});
