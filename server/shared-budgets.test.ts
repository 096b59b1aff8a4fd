import { afterAll, expect, test, vi } from 'vitest';
import { chatSettings, queue, signIn, sms, websiteChat } from '#contract/index.ts';
import { standardSmsTexts } from '#contract/sms.ts';
import { budgetOfDay, crossesWarning, takeDailyBudget, usedToday } from '#server/kit/http/daily-budgets.ts';
import { rateLimitKey } from '#server/kit/http/rate-limits.ts';
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
const usedOf = async (name: string) => {
  const budgets = sharedBudgets(t.env).filter((budget) => budget.name === name);
  return (await usedToday(t.services.pool, t.now(), budgets))[0];
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
  const used = () => usedOf('day-emailed-codes');
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

/** Without the demo, and with a budget of codes that is used up. */
async function withUsedUp<T>(budget: string, act: () => Promise<T>): Promise<T> {
  const env = t.services.env as { demo: boolean };
  const [limit, key] = budgetOfDay({ name: budget, points: 10 }, t.now());
  await t.services.limits.takePoints(limit, key, 3);
  env.demo = false;
  try {
    return await act();
  } finally {
    env.demo = true;
    await t.services.limits.giveBack(limit, key, 3);
  }
}
const pointsOf = async (name: string, key: string) => {
  const found = t.owner.selectFrom('rateLimit').select('points');
  const row = found.where('key', '=', rateLimitKey({ name, points: 0, seconds: 0 }, key));
  return (await row.executeTakeFirst())?.points ?? 0;
};

test('codes by text and by email have budgets of their own; a person who is refused keeps their tries of the hour', async () => {
  await withUsedUp('day-texted-codes', async () => {
    const phone = '+12125550191';
    expect((await openBrowser(t).call(signIn.requestCode, { phone })).body).toMatchObject({ code: 'no_codes_now' });
    expect(await pointsOf('code-identifier', phone)).toBe(0);
  });
  await withUsedUp('day-emailed-codes', async () => {
    const phone = '+12125550192';
    expect(await openBrowser(t).call(signIn.requestCode, { phone })).toMatchObject({ status: 200 });
  });
});

test('a chat’s code that the day refuses leaves the visitor’s valid code, their tries and the audit log as they were', async () => {
  const settings = {
    chatEnabled: true,
    origins: [],
    color: '#0f5f8c',
    greeting: { en: 'Hi!', es: '¡Hola!' },
    hours: null,
  };
  await t.call(chatSettings.saveChatSettings, { body: settings });
  const url = `/api/website-chat/${t.maple.npi}`;
  const started = await t.app.inject({ method: 'POST', url, payload: { consent: true, language: 'en' } });
  const as = { token: started.json().token as string };
  const phone = '+12125550193';
  const ask = () => t.call(websiteChat.sendVisitorCode, { body: { phone } }, { as });
  expect(await ask()).toMatchObject({ status: 200 });
  const { rows } = await t.services.pool.query<{ body: string }>('select body from dev.outbox where recipient = $1', [
    phone,
  ]);
  const code = /\d{6}/.exec(rows[0]?.body ?? '')?.[0] ?? '';
  await t.owner.deleteFrom('rateLimit').where('key', 'like', 'chat-code-pause:%').execute();

  const refused = await withUsedUp('day-chat-codes', ask);
  expect(refused).toMatchObject({ status: 429, body: { code: 'no_chat_codes_now' } });
  expect(await pointsOf('chat-code-phone', phone)).toBe(1);
  expect(await pointsOf('chat-code-office-day', t.maple.id)).toBe(1);
  const entries = await t.auditEntries();
  expect(entries.filter(({ action, outcome }) => action === 'chat.code' && outcome === 'done')).toHaveLength(1);
  expect(await t.call(websiteChat.verifyVisitorPhone, { body: { code } }, { as })).toMatchObject({ status: 200 });
});

test('while the database cannot say what is used, there is no figure', async () => {
  const page = async () => (await t.app.inject('/metrics')).body;
  expect(await page()).toContain('anteroom_daily_budget_used_ratio{');
  const query = vi.spyOn(t.services.pool, 'query').mockImplementation(() => Promise.reject(new Error('away')));
  try {
    expect(await page()).not.toContain('anteroom_daily_budget_used_ratio{');
  } finally {
    query.mockRestore();
  }
  expect(await page()).toContain('anteroom_daily_budget_used_ratio{');
});
