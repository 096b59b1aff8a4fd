import { afterAll, expect, test } from 'vitest';
import { merchant, team } from '#contract/index.ts';
import { EmailRefused } from '#server/providers/email/port.ts';
import {
  deliverMerchantEvents,
  endReviews,
  hostedLink,
  pressForm,
  submitHostedForm,
} from '#testing/fixtures/merchant.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { checkDueApplications } from './jobs.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());
testApp.services.log.level = 'silent';

/** A colleague of the office who can open the form. */
async function colleagueOf(office: TestOffice, name = 'Luis Ortega') {
  const email = `luis-${office.npi}@maple.test`;
  const personId = await testApp.addStaff({ name, email }, [office]);
  return { ...office, token: await testApp.signIn(personId), personId, staffName: name, email };
}
const remove = (by: TestOffice, { personId }: { personId: string }) =>
  testApp.call(team.removeColleague, { params: { personId } }, { as: by });
const open = (as: TestOffice) => testApp.call(merchant.openMerchantForms, {}, { as });
const isOpen = async (link: string) => (await testApp.app.inject({ method: 'GET', url: link })).statusCode === 200;
const noticesTo = (to: string) =>
  testApp.owner
    .selectFrom('dev.outbox')
    .select('body')
    .where('recipient', '=', to)
    .where((mail) =>
      mail.or([mail('body', 'like', '%applied to take card%'), mail('body', 'like', '%cobrar con tarjeta%')]),
    )
    .execute();
/** Runs the job often enough for every notice. */
async function sendNotices() {
  for (let run = 0; run < 8; run++) {
    await checkDueApplications(testApp.services);
    testApp.later(11);
  }
}

test('removing a colleague ends the links to the hosted form; what was filled in stays, and the others open it again', async () => {
  const [office, elsewhere] = [await testApp.office(), await testApp.office()];
  const luis = await colleagueOf(office);
  const [link, theirs] = [await hostedLink(testApp, luis), await hostedLink(testApp, elsewhere)];
  await pressForm(testApp, link, 'consent', { consent: 'yes' });
  expect([await isOpen(link), await isOpen(theirs)]).toEqual([true, true]);

  expect((await remove(office, luis)).status).toBe(200);
  expect(await isOpen(link)).toBe(false);
  const { status, to } = await pressForm(testApp, link, 'business', {});
  expect([status, to]).toEqual([303, expect.stringContaining('expired=true')]);
  expect((await open(luis)).status).toBe(403);
  expect(await isOpen(theirs), 'the link of another practice').toBe(true);

  const again = await hostedLink(testApp, office);
  expect((await testApp.app.inject({ method: 'GET', url: again })).body).toContain('name="legalName"');
});

test('a colleague who is removed while their link is being made gets none', async () => {
  const office = await testApp.office();
  const { merchant: provider } = testApp.services.providers;
  const { createForm, createLink } = provider;
  const luis = await colleagueOf(office);
  provider.createForm = async (ask) => {
    expect((await remove(office, luis)).status).toBe(200);
    return createForm(ask);
  };
  expect((await open(luis)).body).toMatchObject({ code: 'office_not_found' });
  provider.createForm = createForm;
  await hostedLink(testApp, office);

  const mina = await colleagueOf({ ...office, npi: `${office.npi}-2` }, 'Mina Castro');
  provider.createLink = async (...ask) => {
    expect((await remove(office, mina)).status).toBe(200);
    return createLink(...ask);
  };
  expect((await open(mina)).body).toMatchObject({ code: 'office_not_found' });
  provider.createLink = createLink;
  expect((await open(office)).status).toBe(200);
});

test('a submission is emailed to every member of the practice once, with who opened the form', async () => {
  const office = await testApp.office();
  const elsewhere = await testApp.office();
  const luis = await colleagueOf(office);
  await testApp.owner.updateTable('auth.person').set({ language: 'es' }).where('id', '=', luis.personId).execute();
  await hostedLink(testApp, office);
  await submitHostedForm(testApp, await hostedLink(testApp, luis));
  await deliverMerchantEvents(testApp);
  await endReviews(testApp);
  await sendNotices();

  const [notice, ...more] = await noticesTo(`staff-${office.npi}@maple.test`);
  expect(more).toEqual([]);
  expect(notice?.body).toContain('Maple Street Pediatrics applied to take card payments');
  expect(notice?.body).toContain(`- Dana Whitlock (staff-${office.npi}@maple.test)\n- Luis Ortega (${luis.email})`);
  expect(notice?.body).toContain('the bank account ending in 6789');
  expect(await noticesTo(luis.email)).toMatchObject([
    { body: expect.stringContaining('Maple Street Pediatrics solicitó cobrar con tarjeta') },
  ]);
  expect(await noticesTo(`staff-${elsewhere.npi}@maple.test`)).toEqual([]);
});

test('at most 20 members are emailed, and an address that cannot be reached is tried five times', async () => {
  const office = await testApp.office();
  testApp.later(1);
  const others = Array.from({ length: 22 }, (_, n) => `member-${n}-${office.npi}@maple.test`);
  for (const email of others) await testApp.addStaff({ name: 'Mina Castro', email }, [office]);
  const { email } = testApp.services.providers;
  const { send } = email;
  let tries = 0;
  email.send = async (mail) => {
    if (mail.to !== `staff-${office.npi}@maple.test`) return send.call(email, mail);
    tries++;
    throw new EmailRefused(false);
  };
  await submitHostedForm(testApp, await hostedLink(testApp, office));
  await deliverMerchantEvents(testApp);
  await sendNotices();
  email.send = send;
  const sent = await Promise.all(others.map(noticesTo));
  expect(sent.map(({ length }) => length).sort()).toEqual([0, 0, 0, ...Array<number>(19).fill(1)]);
  expect(tries).toBe(5);
});
