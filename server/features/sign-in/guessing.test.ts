import { beforeEach, describe, expect, test } from 'vitest';
import { codeFor, openBrowser, sentTo, differentCode, type TestBrowser } from '#testing/app/test-browser.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';
import { strangerLimits } from './code-limits.ts';

// The demo's own limits are far higher.
const { testApp, wait } = await openIdleTestApp({ DEMO: '0' });
let people = 0;

const nextEmail = () => `guess${++people}@sign-in.test`;
const triesOn = (identifier: string) =>
  testApp.owner
    .selectFrom('auth.code')
    .innerJoin('auth.codeTry', 'codeId', 'auth.code.id')
    .select(['tries', 'usedAt'])
    .where('identifier', '=', identifier)
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow();
const countedFailures = async (identifier: string) => {
  const failures = await testApp.owner
    .selectFrom('auth.failedCode')
    .select('isCounted')
    .where('identifier', '=', identifier)
    .execute();
  return failures.filter(({ isCounted }) => isCounted).length;
};

beforeEach(() => wait(3601));

describe('guessing codes', () => {
  test('200 parallel wrong guesses count five tries, open no session and use up the code', async () => {
    const email = nextEmail();
    await openBrowser(testApp).ask({ email });
    const code = await codeFor(testApp, email);
    const guesses = Array.from({ length: 200 }, (_, i) => String((Number(code) + 1 + i) % 1_000_000).padStart(6, '0'));
    const answers = await Promise.all(guesses.map((guess) => openBrowser(testApp).enter({ email }, guess)));

    expect(answers.filter(({ body }) => body.code === 'wrong_code')).toHaveLength(200);
    expect(await countedFailures(email)).toBe(5);
    expect(await triesOn(email)).toEqual({ tries: 5, usedAt: null });
    expect((await openBrowser(testApp).enter({ email }, code)).body.code).toBe('wrong_code');
    expect(await triesOn(email)).toEqual({ tries: 5, usedAt: null });
  });

  test('200 parallel guesses with the right code among them open at most one session and count at most five tries', async () => {
    for (let round = 0; round < 3; round++) {
      const email = nextEmail();
      await openBrowser(testApp).ask({ email });
      const code = await codeFor(testApp, email);
      const guesses = Array.from({ length: 200 }, (_, i) => (i % 20 === 3 ? code : differentCode(code)));
      const answers = await Promise.all(guesses.map((guess) => openBrowser(testApp).enter({ email }, guess)));
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      expect((await triesOn(email)).tries).toBeLessThanOrEqual(5);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    }
  });

  test('guesses through two processes share one counter', async () => {
    const beside = await openTestApp({
      beside: testApp,
      env: { TRUST_PROXY: '127.0.0.1', DEMO: '0', SESSION_SECRET: testApp.env.secrets.session },
    });
    try {
      const email = nextEmail();
      await openBrowser(testApp).ask({ email });
      const code = await codeFor(testApp, email);
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          openBrowser(i % 2 ? testApp : beside).enter({ email }, differentCode(code)),
        ),
      );
      expect(answers.filter(({ body }) => body.code === 'wrong_code')).toHaveLength(60);
      expect(await countedFailures(email)).toBe(5);
      expect((await triesOn(email)).tries).toBe(5);
    } finally {
      await beside.close();
    }
  });

  test('unknown devices are locked out after fifteen failures a day, across resends and addresses', async () => {
    const email = nextEmail();
    const tries: (string | undefined)[] = [];
    for (let sent = 0; sent < 4; sent++) {
      await openBrowser(testApp).ask({ email });
      const code = await codeFor(testApp, email);
      for (let i = 0; i < 5; i++)
        tries.push((await openBrowser(testApp).enter({ email }, differentCode(code))).body.code);
      wait(31);
    }
    expect(tries).toEqual(Array(20).fill('wrong_code'));
    expect(await countedFailures(email)).toBe(15);
    expect(await sentTo(testApp, email)).toHaveLength(3);

    const refused = await openBrowser(testApp).ask({ email });
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_tries']);
    // The first of the fifteen failures was four pauses of 31 seconds ago.
    expect(Number(refused.headers['retry-after'])).toBe(86_400 - 4 * 31);
    wait(86_400);
    await openBrowser(testApp).ask({ email });
    expect((await openBrowser(testApp).enter({ email }, await codeFor(testApp, email))).status).toBe(200);
  });
});

describe('requesting codes from an unknown device', () => {
  test('an unknown device gets one code per 30 seconds', async () => {
    const email = nextEmail();
    expect((await openBrowser(testApp).ask({ email })).status).toBe(200);
    wait(10);
    const soon = await openBrowser(testApp).ask({ email });
    expect(soon.status).toBe(429);
    expect(soon.body.code).toBe('too_many_tries');
    expect(Number(soon.headers['retry-after'])).toBe(20);
    expect(await sentTo(testApp, email)).toHaveLength(1);
    wait(21);
    expect((await openBrowser(testApp).ask({ email })).status).toBe(200);
  });

  test('20 parallel requests send one code', async () => {
    const email = nextEmail();
    const answers = await Promise.all(Array.from({ length: 20 }, () => openBrowser(testApp).ask({ email })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sentTo(testApp, email)).toHaveLength(1);
  });

  test('an identifier gets five codes an hour, across addresses', async () => {
    const email = nextEmail();
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) {
      statuses.push((await openBrowser(testApp).ask({ email })).status);
      wait(31);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    wait(3600);
    expect((await openBrowser(testApp).ask({ email })).status).toBe(200);
  });

  test('an address gets twenty codes an hour, across identifiers', async () => {
    const stranger = openBrowser(testApp);
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await stranger.ask({ email: nextEmail() })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual([429, 429]);
  });

  test('a network that has used up its codes counts nothing against the addresses it asks for', async () => {
    const stranger = openBrowser(testApp);
    for (let i = 0; i < 20; i++) await stranger.ask({ email: nextEmail() });
    const rows = async () => (await testApp.services.pool.query('select from rate_limit')).rowCount;
    const [email, before] = [nextEmail(), await rows()];
    for (let i = 0; i < 6; i++) {
      expect((await stranger.ask({ email })).status).toBe(429);
      wait(31);
    }
    expect((await stranger.ask({ email })).status).toBe(429);
    expect(await rows()).toBe(before);
    expect((await openBrowser(testApp).ask({ email })).status).toBe(200);
  });

  test('an address where staff signed in recently has a higher limit; a newcomer’s sign-in does not raise it', async () => {
    const desk = openBrowser(testApp);
    await desk.signIn({ email: `staff-${testApp.maple.npi}@maple.test` });
    const colleagues = openBrowser(testApp, { address: desk.address });
    const atDesk = await Promise.all(Array.from({ length: 30 }, () => colleagues.ask({ email: nextEmail() })));
    expect(atDesk.every(({ status }) => status === 200)).toBe(true);

    const stranger = openBrowser(testApp);
    await stranger.signIn({ email: nextEmail() });
    const elsewhere = openBrowser(testApp, { address: stranger.address });
    const atStranger = await Promise.all(Array.from({ length: 30 }, () => elsewhere.ask({ email: nextEmail() })));
    expect(atStranger.filter(({ status }) => status === 200)).toHaveLength(19);
  });

  test('a network where staff signed in recently has the higher limit, whichever of its addresses a desk has today', async () => {
    const desk = openBrowser(testApp, { address: '2001:db8:9:9::1' });
    await desk.signIn({ email: `staff-${testApp.maple.npi}@maple.test` });
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        openBrowser(testApp, { address: `2001:db8:9:9::${(i + 2).toString(16)}` }).ask({ email: nextEmail() }),
      ),
    );
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('strangers cannot lock staff out', () => {
  const staff = () => ({ email: `staff-${testApp.maple.npi}@maple.test` });
  let desk: TestBrowser;
  beforeEach(async () => {
    wait(86_400);
    desk = openBrowser(testApp);
    await desk.signIn(staff());
    wait(31);
  });

  test('a known device has its own codes and its own limit', async () => {
    for (let sent = 0; sent < 3; sent++) {
      await openBrowser(testApp).ask(staff());
      for (let i = 0; i < 6; i++) await openBrowser(testApp).enter(staff(), '000000');
      wait(31);
    }
    expect((await openBrowser(testApp).enter(staff(), '000000')).status).not.toBe(200);
    await openBrowser(testApp).ask(staff());

    const asked = await desk.ask(staff());
    expect(asked.status).toBe(200);
    expect((await desk.enter(staff(), await codeFor(testApp, staff().email))).status).toBe(200);
  });

  test("a stranger's request does not replace the desk's code, and their guesses do not use it up", async () => {
    await desk.ask(staff());
    const code = await codeFor(testApp, staff().email);
    wait(1);
    await openBrowser(testApp).ask(staff());
    for (let i = 0; i < 6; i++) await openBrowser(testApp).enter(staff(), differentCode(code));
    expect((await desk.enter(staff(), code)).status).toBe(200);
  });

  test('a code requested at the desk does not work on another device', async () => {
    await desk.ask(staff());
    const code = await codeFor(testApp, staff().email);
    expect((await openBrowser(testApp).enter(staff(), code)).body.code).toBe('wrong_code');
  });

  test('a device known for one person is unknown for another', async () => {
    const other = { email: `staff-${testApp.other.npi}@maple.test` };
    expect((await desk.ask(other)).status).toBe(200);
    expect((await desk.ask(other)).status).toBe(429);
  });

  test('known devices still get codes when strangers have used up the global limit', async () => {
    const one = { ...strangerLimits.all };
    await Promise.all(
      Array.from({ length: one.points }, () => testApp.services.limits.take(one, 'all').catch(() => undefined)),
    );
    expect((await openBrowser(testApp).ask({ email: nextEmail() })).status).toBe(429);
    expect((await desk.ask(staff())).status).toBe(200);
    wait(one.seconds + 1);
    expect((await openBrowser(testApp).ask({ email: nextEmail() })).status).toBe(200);
  });

  test('a forged device cookie counts as an unknown device', async () => {
    const forged = openBrowser(testApp, { cookies: new Map([['__Host-device', 'A'.repeat(32)]]) });
    expect((await forged.ask(staff())).status).toBe(200);
    expect((await forged.ask(staff())).status).toBe(429);
  });

  test('a known device has a limit of codes too', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await desk.ask(staff())).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  });

  test('the device cookie is for this site only and outlives the session', async () => {
    const fresh = openBrowser(testApp);
    await fresh.ask(staff());
    const { setCookies } = await fresh.enter(staff(), await codeFor(testApp, staff().email));
    const cookie = setCookies.find((line) => line.startsWith('__Host-device=')) ?? '';
    for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', `Max-Age=${400 * 86_400}`])
      expect(cookie).toContain(flag);
  });
});

describe('sign-in limits in the demo', () => {
  test('a demo visitor who signs in again and again is not locked out', async () => {
    const demo = await openTestApp({ beside: testApp, env: { TRUST_PROXY: '127.0.0.1', DEMO: '1' } });
    try {
      const email = nextEmail();
      const newcomer = openBrowser(demo);
      const statuses: number[] = [];
      for (let i = 0; i < 25; i++) {
        const browser = openBrowser(demo, { address: newcomer.address });
        statuses.push((await browser.ask({ email })).status);
        const code = await codeFor(demo, email);
        await browser.enter({ email }, differentCode(code));
        statuses.push((await browser.enter({ email }, code)).status);
        wait(31);
      }
      expect(statuses).toEqual(Array(50).fill(200));
    } finally {
      await demo.close();
    }
  });
});
