import pg from 'pg';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { session, signIn } from '#contract/index.ts';
import { codeFor, openBrowser, sentTo, differentCode } from '#testing/app/test-browser.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';
import { cleanUpSessions } from './jobs.ts';

const { testApp, wait } = await openIdleTestApp();
let people = 0;

const nextEmail = () => `person${++people}@sign-in.test`;
const personWith = async (value: string) =>
  testApp.owner.selectFrom('auth.identity').selectAll().where('value', '=', value).execute();
const staffEmail = () => `staff-${testApp.maple.npi}@maple.test`;

beforeEach(() => wait(3601));

describe('a sign-in code', () => {
  test('a code has six digits and is emailed with its lifetime; the response has its end by our clock', async () => {
    const email = nextEmail();
    const answer = await openBrowser(testApp).ask({ email });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      expiresAt: new Date(testApp.now().getTime() + 180_000).toISOString(),
      resendAfterSeconds: 30,
    });
    const [mail] = await sentTo(testApp, email);
    expect(mail?.channel).toBe('email');
    expect(mail?.body).toMatch(/Your Anteroom code is \d{6}\. It is valid for 3 minutes\.$/);
    expect(mail?.body.match(/\d{6}/g)).toHaveLength(1);
  });

  test('a code is texted to a US mobile number in any spelling', async () => {
    const answer = await openBrowser(testApp).ask({ phone: '(212) 555-0133' });
    expect(answer.status).toBe(200);
    const [text] = await sentTo(testApp, '+12125550133');
    expect(text).toMatchObject({ channel: 'text', sender: '+12125550100' });
    expect(text?.body).toMatch(/^Your Anteroom code is \d{6}\. It is valid for 3 minutes\.$/);
  });

  test("a code's message is in the person's language, else in the page's", async () => {
    await testApp.addStaff({ name: 'Luis', email: 'luis@sign-in.test', language: 'es' }, [testApp.maple]);
    await openBrowser(testApp).ask({ email: 'luis@sign-in.test' });
    const newcomer = nextEmail();
    await openBrowser(testApp).call(signIn.requestCode, { email: newcomer }, { 'accept-language': 'es-MX,en' });
    for (const recipient of ['luis@sign-in.test', newcomer])
      expect((await sentTo(testApp, recipient))[0]?.body).toMatch(
        /Su código de Anteroom es \d{6}\. Es válido por 3 minutos\./,
      );
  });

  test('a code is stored only as a keyed hash', async () => {
    const email = nextEmail();
    await openBrowser(testApp).ask({ email });
    const code = await codeFor(testApp, email);
    const row = await testApp.owner
      .selectFrom('auth.code')
      .selectAll()
      .where('identifier', '=', email)
      .executeTakeFirstOrThrow();
    expect(row.codeHash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(code);
  });

  test.each([
    [{ email: 'front@maple' }, 400, 'invalid_input'],
    [{ email: 'two words@maple.test' }, 400, 'invalid_input'],
    [{ email: 'a\u0007@maple.test' }, 400, 'invalid_input'],
    [{ phone: '+44 20 7946 0958' }, 400, 'invalid_phone'],
    [{ phone: '555-0101' }, 400, 'invalid_phone'],
    [{}, 400, 'invalid_input'],
    [{ email: 'a@b.test', phone: '+12125550101' }, 400, 'invalid_input'],
  ])('is not sent to %j', async (who, status, code) => {
    const answer = await openBrowser(testApp).call(signIn.requestCode, who);
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(code);
  });

  test('a request reports a carrier refusal instead of pretending the code was sent', async () => {
    const answer = await openBrowser(testApp).ask({ email: 'bounce@sign-in.test' });
    expect(answer.status).toBe(503);
    expect(answer.body.code).toBe('code_not_sent');
  });
});

describe('signing in', () => {
  test('the right code sets a cookie that scripts and other sites cannot use', async () => {
    const browser = openBrowser(testApp);
    await browser.ask({ email: `  ${staffEmail().toUpperCase()} ` });
    const answer = await browser.enter({ email: staffEmail() }, await codeFor(testApp, staffEmail()));

    expect(answer.status).toBe(200);
    expect(answer.body.token).toBeUndefined();
    expect(answer.body.session).toMatchObject({
      person: { name: 'Dana Whitlock', email: staffEmail() },
      office: { id: testApp.maple.id, officeName: 'Maple Street Pediatrics', hellosignComplete: true },
      offices: [{ id: testApp.maple.id, npi: testApp.maple.npi }],
      gate: { to: '/dashboard', because: 'ready' },
      expiresAt: new Date(testApp.now().getTime() + 12 * 3_600_000).toISOString(),
      locksAt: new Date(testApp.now().getTime() + 15 * 60_000).toISOString(),
    });
    const cookie = answer.setCookies.find((line) => line.startsWith('__Host-anteroom=')) ?? '';
    for (const flag of ['Max-Age=43200', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
      expect(cookie).toContain(flag);
    expect(cookie).not.toContain('Domain');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await browser.session()).person?.email).toBe(staffEmail());
  });

  test('signing in returns a bearer token instead of a cookie on request', async () => {
    const browser = openBrowser(testApp);
    await browser.ask({ email: staffEmail() });
    const answer = await browser.enter({ email: staffEmail() }, await codeFor(testApp, staffEmail()), { bearer: true });
    expect(answer.setCookies).toEqual([]);
    expect(answer.body.session.locksAt).toBeNull();
    const read = await testApp.call(session.readSession, {}, { as: { token: answer.body.token as string } });
    expect(read.body.person?.email).toBe(staffEmail());
  });

  test('tokens are stored hashed', async () => {
    const browser = openBrowser(testApp);
    const email = nextEmail();
    await browser.signIn({ email });
    const token = browser.cookies.get('__Host-anteroom') as string;
    const rows = await testApp.owner.selectFrom('auth.session').selectAll().execute();
    expect(rows.some((row) => JSON.stringify(row).includes(token))).toBe(false);
  });

  test('a newcomer gets an account only after the right code', async () => {
    const browser = openBrowser(testApp);
    const email = nextEmail();
    await browser.ask({ email });
    const code = await codeFor(testApp, email);
    expect((await browser.enter({ email }, differentCode(code))).body.code).toBe('wrong_code');
    expect(await personWith(email)).toEqual([]);

    const answer = await browser.enter({ email }, code);
    expect(answer.body.session).toMatchObject({
      person: { email, name: email.split('@')[0] },
      offices: [],
      office: null,
      gate: { to: '/', because: 'no-office' },
    });
    expect(await personWith(email)).toHaveLength(1);
  });

  test('a newcomer who signs in by phone is named by the number at first', async () => {
    const session = await openBrowser(testApp).signIn({ phone: '+12125550177' });
    expect(session.person).toMatchObject({ name: '(212) 555-0177', phone: '+12125550177', email: null });
  });

  test('a code works once', async () => {
    const email = nextEmail();
    const browser = openBrowser(testApp);
    await browser.ask({ email });
    const code = await codeFor(testApp, email);
    const answers = await Promise.all([1, 2, 3, 4].map(() => openBrowser(testApp).enter({ email }, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await personWith(email)).toHaveLength(1);
    expect((await openBrowser(testApp).enter({ email }, code)).body.code).toBe('wrong_code');
  });

  test('a code works for three minutes', async () => {
    const email = nextEmail();
    const browser = openBrowser(testApp);
    await browser.ask({ email });
    const code = await codeFor(testApp, email);
    wait(180);
    const late = await browser.enter({ email }, code);
    expect([late.status, late.body.code]).toEqual([400, 'wrong_code']);

    await browser.ask({ email });
    wait(179);
    expect((await browser.enter({ email }, await codeFor(testApp, email))).status).toBe(200);
  });

  test('a new code replaces earlier ones', async () => {
    const email = nextEmail();
    const browser = openBrowser(testApp);
    await browser.ask({ email });
    const first = await codeFor(testApp, email);
    wait(31);
    await browser.ask({ email });
    const second = await codeFor(testApp, email);
    if (first !== second) expect((await browser.enter({ email }, first)).body.code).toBe('wrong_code');
    expect((await browser.enter({ email }, second)).status).toBe(200);
  });

  test("refusals use the specification's texts", async () => {
    const email = nextEmail();
    const browser = openBrowser(testApp);
    await browser.ask({ email });
    const answer = await browser.enter({ email }, differentCode(await codeFor(testApp, email)));
    expect(answer.status).toBe(400);
    expect(answer.body.title).toBe('Incorrect confimation code');
  });

  test('signing in again in the same browser ends the earlier session', async () => {
    const browser = openBrowser(testApp);
    await browser.signIn({ email: nextEmail() });
    const before = new Map(browser.cookies);
    await browser.signIn({ email: nextEmail() });
    expect((await openBrowser(testApp, { cookies: before }).session()).person).toBeNull();
    expect((await browser.session()).person).not.toBeNull();
  });

  test('a sign-in is in the audit log of the office, and in no other', async () => {
    await openBrowser(testApp).signIn({ email: staffEmail() });
    const entries = (await testApp.auditEntries()).filter(({ action }) => action === 'session.start');
    expect(entries.at(-1)).toMatchObject({ actor: 'staff', actorId: testApp.maple.personId, outcome: 'done' });
    expect((await testApp.auditEntries(testApp.other)).filter(({ action }) => action === 'session.start')).toEqual([]);
  });
});

describe('known and unknown identifiers', () => {
  test('known and unknown identifiers get the same response: status, body and headers', async () => {
    const known = await openBrowser(testApp).ask({ email: staffEmail() });
    const unknown = await openBrowser(testApp).ask({ email: nextEmail() });
    expect(unknown.status).toBe(known.status);
    expect(unknown.body).toEqual(known.body);
    expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(known.headers).sort());
    const wrongs = await Promise.all(
      [staffEmail(), nextEmail()].map((email) => openBrowser(testApp).enter({ email }, '000000')),
    );
    expect(wrongs[0]?.body).toEqual(wrongs[1]?.body);
  });

  test('verifying gives the same response by the same statements, whether a code was sent, expired, used up or never requested', async () => {
    const [sent, expired, usedUp, used, never] = Array.from({ length: 5 }, nextEmail) as [string, ...string[]];
    for (const email of [expired, usedUp, used] as string[]) await openBrowser(testApp).ask({ email });
    await openBrowser(testApp).enter({ email: used as string }, await codeFor(testApp, used as string));
    for (let i = 0; i < 5; i++) {
      const email = usedUp as string;
      await openBrowser(testApp).enter({ email }, differentCode(await codeFor(testApp, email)));
    }
    wait(181);
    await openBrowser(testApp).ask({ email: sent });
    await openBrowser(testApp).ask({ email: staffEmail() });

    const identifiers = [sent, staffEmail(), expired, usedUp, used, never, `staff-${testApp.other.npi}@maple.test`];
    const tried: { status: number; body: object; headers: string[]; statements: string[] }[] = [];
    for (const email of identifiers as string[]) {
      // Two tries each: the first one creates the row that counts them.
      for (let i = 0; i < 2; i++) {
        const { statements, answer } = await statementsOf(() => openBrowser(testApp).enter({ email }, '000000'));
        const { status, body, headers } = answer;
        tried.push({ status, body, headers: Object.keys(headers).sort(), statements });
      }
    }
    for (const one of tried) expect(one).toEqual(tried[0]);
    expect(tried[0]).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
    expect(tried[0]?.statements.filter((text) => text.includes('"auth"."code_try"'))).toHaveLength(2);
  });

  test('too many verifications from one network are refused, even with the right code; another network still works', async () => {
    const strict = await openTestApp({
      beside: testApp,
      env: { TRUST_PROXY: '127.0.0.1', DEMO: '0', SESSION_SECRET: testApp.env.secrets.session },
    });
    try {
      const email = nextEmail();
      const address = '2001:db8:7:7::1';
      for (let i = 0; i < 60; i++) {
        const neighbor = openBrowser(strict, { address: `2001:db8:7:7::${(i + 2).toString(16)}` });
        expect((await neighbor.enter({ email: nextEmail() }, '000000')).status).toBe(400);
      }
      const person = openBrowser(strict, { address });
      await person.ask({ email });
      const code = await codeFor(strict, email);
      const refused = await person.enter({ email }, code);
      expect([refused.status, refused.body.code]).toEqual([429, 'too_many_tries']);
      expect((await openBrowser(strict).enter({ email }, code)).status).toBe(200);
      wait(601);
      expect((await person.enter({ email }, code)).body.code).toBe('wrong_code');
    } finally {
      await strict.close();
    }
  });
});

/** The texts of all SQL statements that the server sends meanwhile. */
async function statementsOf<T>(work: () => Promise<T>): Promise<{ statements: string[]; answer: T }> {
  const submit = vi.spyOn(pg.Query.prototype, 'submit');
  try {
    const answer = await work();
    return { statements: submit.mock.contexts.map((query) => (query as { text: string }).text), answer };
  } finally {
    submit.mockRestore();
  }
}

test('codes are deleted after two days and ended sessions after ninety', async () => {
  const browser = openBrowser(testApp);
  const email = nextEmail();
  await browser.signIn({ email });
  await browser.call(session.signOut);
  const codes = () => testApp.owner.selectFrom('auth.code').selectAll().where('identifier', '=', email).execute();
  const tries = () => testApp.owner.selectFrom('auth.codeTry').selectAll().execute();
  const [{ personId = '' } = {}] = await personWith(email);
  const sessions = () =>
    testApp.owner.selectFrom('auth.session').selectAll().where('personId', '=', personId).execute();
  await cleanUpSessions(testApp.services);
  expect([(await codes()).length, (await sessions()).length]).toEqual([1, 1]);
  wait(49 * 3600);
  await cleanUpSessions(testApp.services);
  expect([(await codes()).length, (await tries()).length, (await sessions()).length]).toEqual([0, 0, 1]);
  wait(90 * 86_400);
  await cleanUpSessions(testApp.services);
  expect((await sessions()).length).toBe(0);
});
