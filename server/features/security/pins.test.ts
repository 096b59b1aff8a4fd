import { beforeEach, describe, expect, test } from 'vitest';
import { pin, queue, secondWays, session, signIn } from '#contract/index.ts';
import { isGuessablePin } from '#contract/sign-in/pin.ts';
import { codeFor, openBrowser, sentTo, type TestBrowser } from '#testing/app/test-browser.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';

const { testApp, wait } = await openIdleTestApp();
let people = 0;
const right = '739105';
const wrong = '739106';

let who: { email: string };
let desk: TestBrowser;
beforeEach(async () => {
  wait(3600);
  who = { email: `pins${++people}@sign-in.test` };
  await testApp.addStaff({ name: 'Dana Whitlock', ...who }, [testApp.maple]);
  desk = openBrowser(testApp);
  await desk.signIn(who);
});

const set = (browser = desk, value = right) => browser.call(pin.setPin, { pin: value });
const unlock = (browser = desk, value = right) => browser.call(pin.unlockWithPin, { pin: value });
const lock = (browser = desk) => browser.call(session.lockSession);
const entries = (of = testApp.maple) => testApp.auditEntries(of);
const actions = async () => (await entries()).map(({ action }) => action);
/** Unlocks with the code that is emailed. */
const unlockByCode = async (browser = desk) => {
  await browser.call(session.requestUnlockCode);
  const [mail] = await sentTo(testApp, who.email);
  return browser.call(session.unlockSession, { code: /\d{6}/.exec(mail?.body ?? '')?.[0] as string });
};

describe('a PIN', () => {
  test('a PIN is set on this device, its owner is notified, and it unlocks the same session', async () => {
    expect((await desk.call(secondWays.readSecurity)).body.pin).toEqual({ since: null, possible: true });
    expect((await set()).body.pin).toEqual({ since: testApp.now().toISOString(), possible: true });
    expect((await sentTo(testApp, who.email))[0]?.body).toContain('A PIN to unlock one of your devices was set.');
    expect((await actions()).at(-1)).toBe('pin.set');

    wait(16 * 60);
    expect((await desk.session()).unlockBy).toEqual(['pin', 'code']);
    expect((await desk.call(queue.listQueue)).body.code).toBe('session_locked');
    const unlocked = await unlock();
    expect([unlocked.status, unlocked.body.gate.because]).not.toContain('locked');
    expect((await desk.call(queue.listQueue)).status).toBe(200);
    expect((await entries()).at(-1)).toMatchObject({ action: 'queue.read' });
    expect((await entries()).at(-2)).toMatchObject({ action: 'session.unlock', details: { by: 'pin' } });
  });

  test('each wrong try is in the activity log, with the person and the device', async () => {
    await set();
    await lock();
    const before = (await entries()).length;
    await unlock(desk, wrong);
    await unlock(desk, wrong);
    const tries = (await entries()).slice(before);
    expect(tries).toMatchObject(
      Array.from({ length: 2 }, () => ({
        action: 'pin.wrong',
        actorId: tries[0]?.subject,
        details: { device: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
      })),
    );
    expect((await entries(testApp.other)).map(({ action }) => action)).not.toContain('pin.wrong');
  });

  test('naming another practice does not keep a wrong try out of the activity log', async () => {
    await set();
    await lock();
    const as = { 'x-office': testApp.other.npi };
    expect((await desk.call(pin.unlockWithPin, { pin: wrong }, as)).body.code).toBe('wrong_pin');
    expect((await actions()).at(-1)).toBe('pin.wrong');
    expect((await entries(testApp.other)).map(({ action }) => action)).not.toContain('pin.wrong');
  });

  test('a PIN proves nothing for a change of sign-in methods', async () => {
    await set();
    wait(16 * 60);
    await unlock();
    expect((await desk.call(secondWays.readSecurity)).body.provedUntil).toBeNull();
    expect((await set(desk, '805317')).body.code).toBe('proof_needed');
  });

  test.each([
    '000000',
    '123456',
    '987654',
    '890123',
    '121212',
    '123123',
    '071985',
    '022990',
    '310785',
    '900214',
    '112233',
    '123321',
    '159753',
  ])('the PIN %s is refused, because somebody would guess it', async (guessable) => {
    expect(isGuessablePin(guessable)).toBe(true);
    expect((await set(desk, guessable)).body.code).toBe('pin_guessable');
    expect((await desk.call(secondWays.readSecurity)).body.pin.since).toBeNull();
  });

  test('a PIN needs a proof of the last minute: one of ten minutes ago lets nobody set one on a panel left open', async () => {
    wait(59);
    expect((await set()).status).toBe(200);
    wait(2);
    expect((await set(desk, '805317')).body.code).toBe('proof_needed');
    expect((await desk.call(secondWays.startPasskey)).status).toBe(200);

    await lock();
    expect((await unlockByCode()).status).toBe(200);
    wait(59);
    expect((await set(desk, '805317')).status).toBe(200);
  });

  test('the fifth wrong try in a row removes the PIN and notifies its owner; a code still unlocks', async () => {
    await set();
    await lock();
    for (let i = 0; i < 4; i++) expect((await unlock(desk, wrong)).body.code).toBe('wrong_pin');
    expect((await unlock(desk, wrong)).body.code).toBe('pin_missing');
    expect((await unlock()).body.code).toBe('pin_missing');
    expect((await desk.session()).unlockBy).toEqual(['code']);
    expect((await actions()).slice(-6)).toEqual([...Array<string>(5).fill('pin.wrong'), 'pin.void']);
    const [notice] = await sentTo(testApp, who.email);
    expect(notice?.body).toContain('A PIN of yours was removed after five wrong tries.');
    const { body } = await unlockByCode();
    expect(body.gate.because).not.toBe('locked');
    expect((await entries()).at(-1)).toMatchObject({ action: 'session.unlock', details: { by: 'code' } });
  });

  test('twenty wrong PINs at once count like one after the other', async () => {
    await set();
    await lock();
    const answers = await Promise.all(Array.from({ length: 20 }, () => unlock(desk, wrong)));
    expect(answers.filter(({ body }) => body.code === 'wrong_pin')).toHaveLength(4);
    expect((await unlock()).body.code).toBe('pin_missing');
  });

  test('right tries between them do not keep the fifth wrong one of a day from removing the PIN', async () => {
    await set();
    const codes = [];
    for (let i = 0; i < 5; i++) {
      await lock();
      codes.push((await unlock(desk, wrong)).body.code);
      await unlock();
    }
    expect(codes).toEqual([...Array<string>(4).fill('wrong_pin'), 'pin_missing']);
  });

  test('wrong tries of the day before, and of the PIN before, do not count', async () => {
    await set();
    await lock();
    for (let i = 0; i < 4; i++) await unlock(desk, wrong);
    await unlock();
    await lock();
    await unlockByCode();
    await set(desk, '805317');
    await lock();
    for (let i = 0; i < 4; i++) expect((await unlock(desk, wrong)).body.code).toBe('wrong_pin');
    await unlock(desk, '805317');
    wait(24 * 3600);
    await desk.signIn(who);
    await lock();
    expect((await unlock(desk, wrong)).body.code).toBe('wrong_pin');
  });

  test('tries are limited before any PIN is checked', async () => {
    await lock();
    const codes = [];
    for (let i = 0; i < 61; i++) codes.push((await unlock(desk, wrong)).body.code);
    expect(codes.at(-2)).toBe('pin_missing');
    expect(codes.at(-1)).toBe('too_many_tries');
  });

  test('somebody with the session’s cookie but another device does not use up its person’s tries', async () => {
    await set();
    await lock();
    const stolen = openBrowser(testApp, {
      cookies: new Map([...desk.cookies].filter(([name]) => !name.endsWith('device'))),
    });
    for (let i = 0; i < 61; i++) expect((await unlock(stolen, wrong)).body.code).toBe('pin_missing');
    expect((await unlock()).status).toBe(200);
  });

  test('of many parallel tries only a few are checked, and a colleague’s PIN is checked soon', async () => {
    const colleague = { email: `pin-busy${people}@sign-in.test` };
    await testApp.addStaff({ name: 'Sam', ...colleague }, [testApp.maple]);
    const other = openBrowser(testApp);
    await other.signIn(colleague);
    await set(other);
    await lock(other);
    await set();
    await lock();
    const flood = Promise.all(Array.from({ length: 40 }, () => unlock(desk, wrong)));
    expect((await unlock(other)).status).toBe(200);
    const codes = (await flood).map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'overloaded').length).toBeGreaterThan(20);
    expect(codes.filter((code) => code === 'wrong_pin')).toHaveLength(4);
  });

  test('a PIN is valid on its own device only, also for a session cookie taken from there', async () => {
    await set();
    const other = openBrowser(testApp);
    wait(31);
    await other.signIn(who);
    await lock(other);
    expect((await other.session()).unlockBy).toEqual(['code']);
    expect((await unlock(other)).body.code).toBe('pin_missing');

    await lock();
    const stolen = openBrowser(testApp, {
      cookies: new Map([...desk.cookies].filter(([name]) => !name.endsWith('device'))),
    });
    expect((await stolen.session()).person).not.toBeNull();
    expect((await unlock(stolen)).body.code).toBe('pin_missing');
    expect((await unlock()).status).toBe(200);
  });

  test('two people on one device have their own PINs', async () => {
    await set();
    const colleague = { email: `pin-colleague${people}@sign-in.test` };
    await testApp.addStaff({ name: 'Sam', ...colleague }, [testApp.maple]);
    await desk.call(session.signOut);
    await desk.signIn(colleague);
    await lock();
    expect((await unlock()).body.code).toBe('pin_missing');
  });

  test('a PIN does not sign in, and unlocks nothing for a program’s token', async () => {
    await set();
    await desk.call(session.signOut);
    expect((await unlock()).body.code).toBe('not_signed_in');
    await desk.ask(who);
    const code = await codeFor(testApp, who.email);
    const { body } = await desk.call(signIn.verifyCode, { ...who, code, bearer: true });
    const as = { authorization: `Bearer ${body.token}` };
    expect((await desk.call(pin.setPin, { pin: right }, as)).body.code).toBe('pin_not_here');
  });

  test('nobody can try PINs on a panel that is open', async () => {
    await set();
    expect((await unlock(desk, wrong)).status).toBe(200);
    await lock();
    for (let i = 0; i < 4; i++) expect((await unlock(desk, wrong)).body.code).toBe('wrong_pin');
    expect((await unlock()).status).toBe(200);
  });

  test('the PIN goes with its device, with everything at once, and by a press', async () => {
    await set();
    expect((await desk.call(pin.removePin)).body.pin.since).toBeNull();
    expect((await actions()).at(-1)).toBe('pin.remove');

    const other = openBrowser(testApp);
    wait(31);
    await other.signIn(who);
    await set(other);
    const here = (await desk.call(session.listDevices)).body.devices.find(({ current }) => !current);
    await desk.call(session.signOutDevice, undefined, {}, { deviceId: here?.id ?? '' });
    wait(31);
    await other.signIn(who);
    expect((await other.call(secondWays.readSecurity)).body.pin).toEqual({ since: null, possible: true });

    await set(other);
    await other.call(session.signOutEverywhere);
    wait(31);
    await other.signIn(who);
    expect((await other.call(secondWays.readSecurity)).body.pin.since).toBeNull();
  });
});

test('the PIN is stored as a hash of its own, and somebody of another office learns nothing of it', async () => {
  await set();
  const stranger = openBrowser(testApp);
  await stranger.signIn({ email: `staff-${testApp.other.npi}@maple.test` });
  expect((await stranger.call(secondWays.readSecurity)).body.pin?.since ?? null).toBeNull();
  const rows = await testApp.owner.selectFrom('auth.devicePin').select('pinHash').execute();
  expect(rows.length).toBeGreaterThan(0);
  for (const { pinHash } of rows) expect(Buffer.from(pinHash).toString('latin1')).not.toContain(right);
});
