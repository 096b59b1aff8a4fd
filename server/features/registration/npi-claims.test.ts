import { describe, expect, test } from 'vitest';
import * as registration from '#contract/practice/registration.ts';
import { readOfficeFront } from '#contract/patient/check-in.ts';
import { runCommand } from '#server/kit/command.ts';
import { checkInNumber } from '#server/office-row.ts';
import {
  me,
  newcomer,
  officeRow,
  openRegistrationApp,
  register,
  session,
  testApp,
  typedRegistration,
} from '#testing/fixtures/registration.ts';
import { registrationCommands } from './commands.ts';
import { mailClaims } from './npi-claim-emails.ts';

openRegistrationApp();

describe('a claimed NPI', () => {
  test('a claimed NPI refuses a stranger, emails the operator once, and emails the office’s staff on request', async () => {
    const owner = me;
    const { strapiId } = (await register({ ...typedRegistration, npi: '1467560003', email: 'desk@oak.test' })).body;
    const stranger = await newcomer();
    for (let i = 0; i < 2; i++) {
      const { status, body } = await register(
        { ...typedRegistration, addressLine1: '7 Far Away', npi: '1467560003' },
        { as: stranger },
      );
      expect([status, body.code, body.current]).toEqual([409, 'npi_claimed', { npi: '1467560003' }]);
    }
    expect((await session(stranger)).offices).toEqual([]);
    await mailDue();
    const toOperator = async () =>
      (await mailsTo('operator@anteroom.test')).filter((body) => body.includes(stranger.email));
    expect(await toOperator()).toHaveLength(1);
    expect(await mailsTo(owner.email)).toEqual([]);

    const ask = (as: { token: string }) =>
      testApp.call(registration.askToJoin, { body: { npi: '1467560003' } }, { as });
    for (let i = 0; i < 2; i++) expect((await ask(stranger)).body).toEqual({ asked: true });
    await mailDue();
    await mailDue();
    for (const to of [owner.email, 'desk@oak.test']) {
      const mails = await mailsTo(to);
      expect(mails).toHaveLength(1);
      expect(mails[0]).toContain(`${stranger.email} asks to join Oak Clinic`);
    }
    expect(await toOperator()).toHaveLength(1);
    const lines: string[] = [];
    const operator = {
      services: testApp.services,
      owner: testApp.owner,
      ownerUrl: testApp.url,
      say: (line: string) => void lines.push(line),
    };
    await runCommand(registrationCommands, ['npi-claims'], operator);
    expect(lines.filter((line) => line.includes('1467560003'))).toEqual([
      expect.stringMatching(new RegExp(`1467560003 +${stranger.email} +mailed +asked`)),
    ]);
    expect((await ask(owner)).body).toEqual({ asked: false });
    expect((await session(stranger)).offices).toEqual([]);
    expect(await officeRow(strapiId)).toMatchObject({ name: 'Oak Clinic' });
  });

  test('members may reuse their office’s NPI for another location', async () => {
    const first = await register({ ...typedRegistration, npi: '1740283779' });
    const second = await register({ ...typedRegistration, addressLine1: '8 Second Street', npi: '1740283779' });
    expect(second.status).toBe(200);
    expect(second.body.strapiId).not.toBe(first.body.strapiId);
    for (const { strapiId } of [first.body, second.body]) {
      const signed = { agreementSignedAt: testApp.now() };
      await testApp.inOffice({ id: strapiId } as never, (tx) =>
        tx.updateTable('office').set(signed).where('id', '=', strapiId).execute(),
      );
    }
    const front = async ({ strapiId }: { strapiId: string }) => {
      const npi = checkInNumber(await officeRow(strapiId));
      return { npi, office: (await testApp.call(readOfficeFront, { params: { npi } }, { as: null })).body.office };
    };
    expect((await front(first.body)).npi).toBe('1740283779');
    const other = await front(second.body);
    expect(other.npi).toMatch(/^9/);
    expect(other.office).toMatchObject({ address: expect.stringContaining('8 Second Street') as string });
  });

  test('a request to join an unknown NPI is a 404, and requests are rate-limited', async () => {
    expect((await testApp.call(registration.askToJoin, { body: { npi: '1999999992' } }, { as: me })).status).toBe(404);
    const asks = [];
    for (let i = 0; i < 6; i++)
      asks.push((await testApp.call(registration.askToJoin, { body: { npi: testApp.other.npi } }, { as: me })).status);
    expect(asks).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('a request to join their own office asks nobody', async () => {
    const office = await testApp.office();
    const { body } = await testApp.call(registration.askToJoin, { body: { npi: office.npi } }, { as: office });
    expect(body).toEqual({ asked: false });
    const claims = testApp.owner.selectFrom('auth.npiClaim').select('npi').where('officeId', '=', office.id);
    expect(await claims.execute()).toEqual([]);
  });

  test('a temporarily refused email is retried, and a permanently refused one is not', async () => {
    testApp.later(60 * 24);
    const office = await testApp.office({ email: 'grey@oak.test' });
    await testApp.owner
      .updateTable('auth.identity')
      .set({ value: `bounce@${office.npi}.test` })
      .where('personId', '=', office.personId)
      .execute();
    await testApp.call(registration.askToJoin, { body: { npi: office.npi } }, { as: me });
    const state = () =>
      testApp.owner.selectFrom('auth.npiClaim').selectAll().where('officeId', '=', office.id).executeTakeFirstOrThrow();
    await mailDue();
    expect(await state()).toMatchObject({ officeMailedAt: null, tries: 1 });
    expect((await state()).operatorMailedAt).not.toBeNull();
    await mailDue();
    expect(await state()).toMatchObject({ tries: 1 });
    testApp.later(3);
    await testApp.inOffice(office, (tx) =>
      tx.updateTable('office').set({ email: 'there@oak.test' }).where('id', '=', office.id).execute(),
    );
    await mailDue();
    expect((await state()).officeMailedAt).not.toBeNull();
    expect(await mailsTo('there@oak.test')).toHaveLength(1);
  });
});

/** The job, until nothing is due. */
async function mailDue(): Promise<void> {
  while (await mailClaims(testApp.services));
}

async function mailsTo(to: string): Promise<string[]> {
  const rows = await testApp.owner
    .selectFrom('dev.outbox')
    .select('body')
    .where('recipient', '=', to)
    .where('channel', '=', 'email')
    .execute();
  return rows.map(({ body }) => body);
}
