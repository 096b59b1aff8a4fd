import { afterAll, expect, test } from 'vitest';
import { copay } from '#contract/index.ts';
import { officeCommands } from '#server/features/office/office-commands.ts';
import { runCommand, UsageError } from '#server/kit/command.ts';
import { openContractServer, specsDir } from '#testing/stand-ins/contract-server.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { makeCard, payingOffice, requestOn, type PayingVisit } from '#testing/fixtures/payments.ts';
import { copayCommands } from './commands.ts';

const vendor = specsDir ? await openContractServer('athenahealth-recordpayment.derived.openapi.json') : null;
const athena = vendor ? { ATHENA_CLIENT_ID: 'c', ATHENA_CLIENT_SECRET: 's', ATHENA_URL: vendor.url } : {};
const t = await openTestApp({ env: athena });
afterAll(async () => {
  await t.close();
  await vendor?.close();
});

async function type(...args: string[]): Promise<string[]> {
  const said: string[] = [];
  const desk = { services: t.services, owner: t.owner, ownerUrl: t.url, say: (line: string) => void said.push(line) };
  await runCommand([...officeCommands, ...copayCommands], ['office', ...args], desk);
  return said;
}
const codeOf = async ({ id }: PayingVisit) => {
  const visit = t.owner
    .selectFrom('visit as v')
    .innerJoin('patient as p', (join) => join.onRef('p.officeId', '=', 'v.officeId').onRef('p.id', '=', 'v.patientId'))
    .where('v.id', '=', id);
  return (await visit.select('p.userCode').executeTakeFirstOrThrow()).userCode;
};
async function paidVisit(office: TestOffice): Promise<PayingVisit> {
  const visit = await requestOn(t, office, { copay: 2_500 });
  const body = { paymentId: visit.chargeId, card: await makeCard(t) };
  await t.call(copay.payCopay, { params: { token: visit.token }, body }, { as: null });
  return visit;
}
const record = async (office: TestOffice, { chargeId }: PayingVisit) =>
  (await t.call(copay.recordInAthena, { body: { chargeId } }, { as: office })).body.recording;

test.skipIf(!specsDir)('a payment is recorded in athenahealth under the numbers that the operator told', async () => {
  const office = await payingOffice(t);
  const visit = await paidVisit(office);
  const code = await codeOf(visit);
  expect(await record(office, visit)).toBe('missing');
  await type('set', office.npi, 'settings.athenaPractice=195900', 'settings.athenaDepartment=21');
  expect(await record(office, visit)).toBe('missing');
  expect(vendor?.calls).toEqual([]);
  expect(await type('patient-number', office.npi, code, '3409')).toEqual(['Set.']);
  expect((await t.auditEntries(office)).at(-1)).toMatchObject({ action: 'settings.change', actor: 'operator' });
  expect(await record(office, visit)).toBe('recorded');
  expect(vendor?.calls.at(-1)).toMatchObject({
    path: '/v1/195900/patients/3409/recordpayment',
    body: { departmentid: 21, copayamount: '25.00', cardnumberlast4: '4242', paymentmethod: 'MC/VISA' },
  });
  expect(vendor?.problems()).toEqual([]);
});

test.skipIf(!specsDir)('somebody else who checked in with the patient’s phone has no number', async () => {
  const office = await payingOffice(t);
  await type('set', office.npi, 'settings.athenaPractice=195900');
  const visit = await paidVisit(office);
  await type('patient-number', office.npi, await codeOf(visit), '3409');
  await t.owner.updateTable('visit').set({ firstName: 'Somebody' }).where('id', '=', visit.id).execute();
  expect(await record(office, visit)).toBe('missing');
});

test('a number is set for a patient of the office only, and can be taken away', async () => {
  const office = await payingOffice(t);
  const code = await codeOf(await requestOn(t, office));
  await expect(type('patient-number', t.other.npi, code, '3409')).rejects.toThrow(UsageError);
  await expect(type('patient-number', office.npi, code, 'P-3409')).rejects.toThrow('is no number');
  await expect(type('patient-number', office.npi)).rejects.toThrow("Give the patient's code");
  await type('patient-number', office.npi, code, '3409');
  const numberOf = () =>
    t.owner.selectFrom('patient').select('practiceNumber').where('userCode', '=', code).executeTakeFirst();
  expect(await numberOf()).toEqual({ practiceNumber: '3409' });
  expect(await type('patient-number', office.npi, code)).toEqual(['Taken away.']);
  expect(await numberOf()).toEqual({ practiceNumber: null });
});
