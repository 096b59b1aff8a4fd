import { afterAll, beforeAll, expect, test } from 'vitest';
import { agreement, officeDetails } from '#contract/index.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { askForLink, openPage, pressSigningButton, deliverEsignEvents } from '#testing/fixtures/signing.ts';

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

test('a correction before signing changes the name, and the agreement has the new name', async () => {
  const office = await unsigned();
  expect((await correct(office, { name: 'Birch Family Care' })).body).toMatchObject({ name: 'Birch Family Care' });
  expect((await read(office)).body).toMatchObject({ name: 'Birch Family Care', agesTreated: ['Adults'] });
  expect((await statusOf(office)).officeName).toBe('Birch Family Care');
  const { body } = await askForLink(t, office);
  expect(await titleOf(body.url ?? '')).toContain('Birch Family Care');
  expect((await t.auditEntries(office)).map(({ action }) => action)).toContain('office.change');
});

test('a correction cancels an open signature request: its page signs nothing, and the next one has the new name', async () => {
  const office = await unsigned();
  const { key } = await openPage(t, (await askForLink(t, office)).body.url ?? '');
  expect((await correct(office, { name: 'Cedar Clinic' })).status).toBe(200);
  expect((await statusOf(office)).agreement).toMatchObject({ state: 'canceled' });
  expect(await pressSigningButton(t, key, 'sign')).toMatchObject({ state: 'canceled' });
  expect(await titleOf((await askForLink(t, office)).body.url ?? '')).toContain('Cedar Clinic');
});

test('a correction just after signing changes nothing, and the signature stands', async () => {
  const office = await unsigned();
  const { name } = (await read(office)).body;
  const { key } = await openPage(t, (await askForLink(t, office)).body.url ?? '');
  await pressSigningButton(t, key, 'sign');
  expect(await correct(office, { name: 'Too Late' })).toMatchObject({
    status: 409,
    body: { code: 'agreement_signed' },
  });
  await deliverEsignEvents(t);
  expect(await read(office)).toMatchObject({ status: 409, body: { code: 'agreement_signed' } });
  expect((await statusOf(office)).officeName).toBe(name);
});

test('a refused correction names the wrong field and keeps the open signature request', async () => {
  const office = await unsigned();
  await askForLink(t, office);
  expect(await correct(office, { name: ' ', zip: '1' })).toMatchObject({
    status: 400,
    body: { code: 'registration_incomplete', current: { errorList: [{ field: 'zip' }, { field: 'name' }] } },
  });
  expect((await statusOf(office)).agreement).toMatchObject({ state: 'open' });
});

test('after ten parallel corrections and ten clicks on "Read and sign" the signed agreement has the office’s current name', async () => {
  const office = await unsigned();
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => [correct(office, { name: `Name ${n}` }), askForLink(t, office)]).flat(),
  );
  const { name } = (await read(office)).body;
  expect(await titleOf((await askForLink(t, office)).body.url ?? '')).toContain(name);
});

test('a person corrects only their own office', async () => {
  const [office, other] = [await unsigned(), await unsigned()];
  await correct(office, { name: 'Mine' });
  expect((await read(other)).body.name).not.toBe('Mine');
  expect((await read(null)).status).toBe(401);
});
