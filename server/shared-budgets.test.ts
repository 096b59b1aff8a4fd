import { afterAll, expect, test } from 'vitest';
import { queue, signIn, sms } from '#contract/index.ts';
import { standardSmsTexts } from '#contract/sms.ts';
import { crossesWarning, takeDailyBudget, usedToday } from '#server/kit/http/daily-budgets.ts';
import { EmailRefused } from '#server/providers/email/port.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { openBrowser } from '#testing/app/test-browser.ts';
import { sharedBudgets } from './shared-budgets.ts';

const t = await openTestApp({ env: { UNCONFIRMED_SEGMENTS_PER_DAY: '4', CODES_PER_DAY: '3' } });
afterAll(() => t.close());

const name = 'Elm Clinic';
/** The standard message of Send SMS, to a patient who is here. */
async function textPatient(office: TestOffice) {
  const { username: phoneNumber } = await t.visit({ office });
  const message = standardSmsTexts(name, `${t.env.publicUrl}/c/${office.npi}`).en;
  return t.call(sms.sendSms, { body: { message, deliveryOptions: [{ phoneNumber }] } }, { as: office });
}
const usedOf = async (name: string, now = t.now()) => {
  const budgets = sharedBudgets(t.env).filter((budget) => budget.name === name);
  return (await usedToday(t.services.pool, now, budgets))[0];
};

test('practices that are not confirmed share a day’s segments: then a text is refused and an invite held, until the next day', async () => {
  const offices = await Promise.all(Array.from({ length: 4 }, () => t.office({ name, confirmedBy: null })));
  for (const office of offices) expect((await textPatient(office)).body).toMatchObject({ accepted: 1 });
  expect(await usedOf('day-unconfirmed-texts')).toBe(4);
  const page = (await t.app.inject('/metrics')).body;
  expect(page).toContain('anteroom_daily_budget_used_ratio{budget="day-unconfirmed-texts"} 1');

  const office = await t.office({ name, confirmedBy: null });
  expect((await textPatient(office)).body).toMatchObject({ code: 'limited_texts_everywhere' });
  // What was refused was not counted.
  expect(await usedOf('day-unconfirmed-texts')).toBe(4);
  const visit = await t.visit({ office });
  const { body } = await t.call(queue.moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: office });
  expect(body).toMatchObject({ statusCode: 'INVITED', lastMessageState: 'held', lastTextProblem: 'unconfirmed-all' });

  expect(await textPatient(await t.office({ name }))).toMatchObject({ status: 200 });
  t.later(24 * 60);
  expect(await textPatient(office)).toMatchObject({ status: 200 });
});

test('offices that text at the same moment exceed a shared budget by seven texts at most', async () => {
  const budget = { name: 'test-race', points: 20 };
  const takes = await Promise.all(
    Array.from({ length: 60 }, () => {
      const officeId = t.services.id();
      return t
        .inOffice(t.maple, async (tx) => {
          const { seconds } = await takeDailyBudget(tx, t.now(), budget, { officeId, points: 1 });
          if (seconds !== null) throw new Error('used up');
        })
        .then(
          () => true,
          () => false,
        );
    }),
  );
  const accepted = takes.filter(Boolean).length;
  expect(accepted).toBeGreaterThanOrEqual(20);
  expect(accepted).toBeLessThanOrEqual(27);
});

test('the warning comes once, at four fifths', () => {
  const budget = { name: 'test', points: 10 };
  expect([7, 8, 9].map((used) => crossesWarning(budget, used, 1))).toEqual([false, true, false]);
  expect(crossesWarning(budget, 12, 6)).toBe(true);
});

test('codes to strangers have a budget of the day: a code that was surely not sent is given back, and one too many is refused', async () => {
  const env = t.services.env as { demo: boolean };
  env.demo = false;
  const { email } = t.services.providers;
  const ask = (n: number) => openBrowser(t).call(signIn.requestCode, { email: `stranger-${n}@budget.test` });
  const used = () => usedOf('day-sign-in-codes', new Date());
  try {
    t.services.providers.email = { ...email, send: () => Promise.reject(new EmailRefused(true)) };
    expect((await ask(1)).body).toMatchObject({ code: 'code_not_sent' });
    expect(await used()).toBe(0);
    t.services.providers.email = email;
    for (const n of [2, 3, 4]) expect(await ask(n)).toMatchObject({ status: 200 });
    const refused = await ask(5);
    expect(refused).toMatchObject({ status: 429, body: { code: 'no_codes_now' } });
    expect(await used()).toBe(3);
  } finally {
    t.services.providers.email = email;
    env.demo = true;
  }
});
