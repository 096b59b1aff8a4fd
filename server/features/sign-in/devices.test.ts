import { beforeEach, describe, expect, test } from 'vitest';
import { queue, session } from '#contract/index.ts';
import { codeFor, openBrowser, type TestBrowser } from '#testing/app/test-browser.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';
import { parseUserAgent } from './device-name.ts';

const { testApp, wait } = await openIdleTestApp();
let people = 0;
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

let who: { email: string };
let desk: TestBrowser;
let phone: TestBrowser;
beforeEach(async () => {
  wait(3600);
  who = { email: `devices${++people}@sign-in.test` };
  await testApp.addStaff({ name: 'Dana Whitlock', ...who }, [testApp.maple]);
  desk = openBrowser(testApp, { userAgent: windows });
  phone = openBrowser(testApp, { userAgent: iphone });
  await desk.signIn(who);
  wait(31);
  await phone.signIn(who);
});

const devicesOf = async (browser: TestBrowser) => (await browser.call(session.listDevices)).body.devices;
const signOut = (browser: TestBrowser, deviceId: string) =>
  browser.call(session.signOutDevice, undefined, {}, { deviceId });

describe('the list of signed-in devices', () => {
  test('a list shows each device with name, address and last activity, this one first', async () => {
    wait(120);
    await desk.call(session.stayActive);
    const at = testApp.now();
    expect(await devicesOf(desk)).toMatchObject([
      {
        kind: 'browser',
        browser: 'Chrome',
        system: 'Windows',
        address: desk.address,
        sameAddress: true,
        current: true,
      },
      {
        kind: 'browser',
        browser: 'Safari',
        system: 'iPhone',
        address: phone.address,
        sameAddress: false,
        current: false,
      },
    ]);
    expect((await devicesOf(desk)).map(({ activeAt }) => activeAt)).toEqual([
      at.toISOString(),
      new Date(at.getTime() - 120_000).toISOString(),
    ]);
    expect((await devicesOf(phone))[0]).toMatchObject({ system: 'iPhone', current: true });
  });

  test('a list shows which devices are locked and which token belongs to a program', async () => {
    await phone.call(session.lockSession);
    const program = openBrowser(testApp, { userAgent: 'curl/8.5' });
    wait(31);
    await program.ask(who);
    const { body } = await program.enter(who, await codeFor(testApp, who.email), { bearer: true });
    expect(body.token).toBeDefined();
    const listed = await devicesOf(desk);
    expect(listed.find(({ system }) => system === 'iPhone')?.locked).toBe(true);
    expect(listed.find(({ kind }) => kind === 'program')).toMatchObject({ browser: null, system: null, locked: false });
  });

  test('a person signs out single devices at once, and only their own', async () => {
    const [, other] = await devicesOf(desk);
    const stranger = openBrowser(testApp);
    await stranger.signIn({ email: `stranger${people}@sign-in.test` });
    expect((await signOut(stranger, other?.id ?? '')).status).toBe(404);
    expect((await phone.call(queue.listQueue)).status).toBe(200);

    const left = await signOut(desk, other?.id ?? '');
    expect(left.body.devices).toHaveLength(1);
    expect((await phone.call(queue.listQueue)).body.code).toBe('not_signed_in');
    expect((await signOut(desk, other?.id ?? '')).status).toBe(404);
    expect((await desk.call(queue.listQueue)).status).toBe(200);
    expect((await testApp.auditEntries()).at(-2)).toMatchObject({ action: 'session.end', subject: other?.id });
  });

  test('a device signed out from elsewhere counts as unknown', async () => {
    const [, other] = await devicesOf(desk);
    await signOut(desk, other?.id ?? '');
    wait(31);
    expect([(await phone.ask(who)).status, (await phone.ask(who)).status]).toEqual([200, 429]);
    expect([(await desk.ask(who)).status, (await desk.ask(who)).status]).toEqual([200, 200]);
  });

  test('signing out everywhere ends all sessions of the person, and nobody else’s', async () => {
    const colleague = openBrowser(testApp);
    await colleague.signIn({ email: `staff-${testApp.maple.npi}@maple.test` });
    const answer = await desk.call(session.signOutEverywhere);
    expect(answer.body).toEqual({ signedOut: 2 });
    expect(desk.cookies.has('__Host-anteroom')).toBe(false);
    for (const browser of [desk, phone]) expect((await browser.call(queue.listQueue)).status).toBe(401);
    expect((await colleague.call(queue.listQueue)).status).toBe(200);
  });
});

describe('the session token', () => {
  test('a token is renewed only in its last ten minutes, and renewal does not count as activity', async () => {
    const first = desk.cookies.get('__Host-anteroom');
    const { locksAt, tokenExpiresAt } = await desk.session();
    expect((await desk.call(session.refreshSession)).body).toEqual({ tokenExpiresAt });
    expect(desk.cookies.get('__Host-anteroom')).toBe(first);

    wait(50 * 60);
    const renewed = await desk.call(session.refreshSession);
    expect(renewed.body).toEqual({ tokenExpiresAt: new Date(testApp.now().getTime() + 3_600_000).toISOString() });
    expect(desk.cookies.get('__Host-anteroom')).not.toBe(first);
    const after = await desk.session();
    expect([after.locksAt, after.gate.because]).toEqual([locksAt, 'locked']);
  });

  test('a token that is not renewed expires after an hour', async () => {
    wait(59 * 60);
    expect((await desk.session()).person).not.toBeNull();
    wait(61);
    expect((await desk.call(session.refreshSession)).body.code).toBe('not_signed_in');
    expect((await desk.session()).person).toBeNull();
  });

  test('two tabs renewing at once, or a retry after a lost response, get the same token; the old one keeps its end', async () => {
    wait(52 * 60);
    const old = new Map(desk.cookies);
    const tabs = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const tab = openBrowser(testApp, { cookies: new Map(old) });
        await tab.call(session.refreshSession);
        return tab.cookies.get('__Host-anteroom');
      }),
    );
    expect(new Set(tabs).size).toBe(1);
    expect(tabs[0]).not.toBe(old.get('__Host-anteroom'));
    const [stale, fresh] = [old, new Map([['__Host-anteroom', tabs[0] as string]])].map((cookies) =>
      openBrowser(testApp, { cookies }),
    ) as [TestBrowser, TestBrowser];
    expect((await stale.session()).person).not.toBeNull();
    wait(7 * 60 + 30);
    expect((await stale.session()).person).toBeNull();
    expect((await fresh.session()).person).not.toBeNull();
  });

  const withToken = (token: string | undefined) =>
    openBrowser(testApp, { cookies: new Map([['__Host-anteroom', token as string]]) });
  const revocations = async (office = testApp.maple) =>
    (await testApp.auditEntries(office)).filter(({ action }) => action === 'session.revoke');

  test('a replaced token presented for renewal after 30 s ends its whole session, once, and no other session', async () => {
    const before = (await revocations()).length;
    const colleague = openBrowser(testApp);
    await colleague.signIn({ email: `staff-${testApp.maple.npi}@maple.test` });
    wait(52 * 60);
    await phone.call(session.refreshSession);
    await colleague.call(session.refreshSession);
    const old = desk.cookies.get('__Host-anteroom');
    await desk.call(session.refreshSession);
    wait(30);
    const inTime = withToken(old);
    expect((await inTime.call(session.refreshSession)).status).toBe(200);
    expect(inTime.cookies.get('__Host-anteroom')).toBe(desk.cookies.get('__Host-anteroom'));
    expect((await desk.session()).person).not.toBeNull();

    wait(1);
    // An office that the person does not belong to must not hide the entry.
    const late = await Promise.all(
      Array.from({ length: 20 }, () =>
        withToken(old).call(session.refreshSession, undefined, { 'x-office': testApp.other.id }),
      ),
    );
    expect(late.map(({ body }) => body.code)).toEqual(Array(20).fill('not_signed_in'));
    for (const browser of [desk, withToken(old)]) {
      expect((await browser.session()).person).toBeNull();
      expect((await browser.call(session.refreshSession)).status).toBe(401);
    }
    for (const browser of [phone, colleague]) expect((await browser.session()).person).not.toBeNull();
    expect((await revocations()).length).toBe(before + 1);
    expect(await revocations(testApp.other)).toEqual([]);
  });

  test('a replaced token presented for renewal after its own end still ends the session, for a bearer caller too', async () => {
    wait(31);
    const program = openBrowser(testApp);
    await program.ask(who);
    const { body } = await program.enter(who, await codeFor(testApp, who.email), { bearer: true });
    const as = (token = '') => ({ authorization: `Bearer ${token}` });
    wait(55 * 60);
    const renewed = await program.call(session.refreshSession, undefined, as(body.token));
    wait(6 * 60);
    expect((await program.call(queue.listQueue, undefined, as(renewed.body.token))).status).toBe(200);
    expect((await program.call(session.refreshSession, undefined, as(body.token))).status).toBe(401);
    expect((await program.call(queue.listQueue, undefined, as(renewed.body.token))).status).toBe(401);
  });

  test('a token replaced twice and presented again ends the session', async () => {
    const first = desk.cookies.get('__Host-anteroom');
    for (let i = 0; i < 2; i++) {
      wait(52 * 60);
      await desk.call(session.refreshSession);
    }
    expect((await desk.session()).person).not.toBeNull();
    await withToken(first).call(session.refreshSession);
    expect((await desk.session()).person).toBeNull();
  });

  test('a replaced token shows its own end, so that a panel that holds it renews it', async () => {
    const { tokenExpiresAt } = await desk.session();
    const old = desk.cookies.get('__Host-anteroom');
    wait(52 * 60);
    await desk.call(session.refreshSession);
    expect((await withToken(old).session()).tokenExpiresAt).toBe(tokenExpiresAt);
  });

  test('a bearer caller gets the renewed token in the response', async () => {
    wait(31);
    const program = openBrowser(testApp);
    await program.ask(who);
    const { body } = await program.enter(who, await codeFor(testApp, who.email), { bearer: true });
    const as = (token = '') => ({ authorization: `Bearer ${token}` });
    wait(55 * 60);
    const renewed = await program.call(session.refreshSession, undefined, as(body.token));
    expect(renewed.setCookies).toEqual([]);
    expect(renewed.body.token).toMatch(/^[\w-]{48}$/);
    wait(30 * 60);
    expect((await program.call(queue.listQueue, undefined, as(body.token))).status).toBe(401);
    expect((await program.call(queue.listQueue, undefined, as(renewed.body.token))).status).toBe(200);
  });

  test('a token never outlives the twelve-hour session limit', async () => {
    for (let hours = 0; hours < 12; hours += 1) {
      wait(50 * 60);
      await desk.call(session.refreshSession);
    }
    for (let i = 0; i < 13; i++) {
      wait(9 * 60);
      await desk.call(session.refreshSession);
    }
    const { tokenExpiresAt, expiresAt } = await desk.session();
    expect(tokenExpiresAt).toBe(expiresAt);
    wait(9 * 60);
    expect((await desk.session()).person).toBeNull();
  });
});

test.each([
  [windows, 'Chrome', 'Windows'],
  [iphone, 'Safari', 'iPhone'],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 1) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    'Microsoft Edge',
    'ChromeOS',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox', 'Mac'],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36',
    'Samsung Internet',
    'Android',
  ],
  ['', null, null],
  ['curl/8.5.0', null, null],
])('%s', (userAgent, browser, system) => {
  expect(parseUserAgent(userAgent)).toEqual({ browser, system });
});
