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
const actions = async () => (await testApp.auditEntries()).map(({ action }) => action);

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
    expect(await actions()).toContain('session.unlock');
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

  test('the fifth wrong try in a row removes the PIN; a code still unlocks', async () => {
    await set();
    await lock();
    for (let i = 0; i < 4; i++) expect((await unlock(desk, wrong)).body.code).toBe('wrong_pin');
    expect((await unlock(desk, wrong)).body.code).toBe('pin_missing');
    expect((await unlock()).body.code).toBe('pin_missing');
    expect((await desk.session()).unlockBy).toEqual(['code']);
    expect((await actions()).at(-1)).toBe('pin.void');
    await desk.call(session.requestUnlockCode);
    const [mail] = await sentTo(testApp, who.email);
    const code = /\d{6}/.exec(mail?.body ?? '')?.[0] as string;
    expect((await desk.call(session.unlockSession, { code })).status).toBe(200);
  });

  test('twenty wrong PINs at once count like one after the other', async () => {
    await set();
    await lock();
    const answers = await Promise.all(Array.from({ length: 20 }, () => unlock(desk, wrong)));
    expect(answers.filter(({ body }) => body.code === 'wrong_pin')).toHaveLength(4);
    expect((await unlock()).body.code).toBe('pin_missing');
  });

  test('four wrong tries between right ones remove the PIN at the fifteenth of a day', async () => {
    await set();
    const codes = [];
    for (let i = 0; i < 15; i++) {
      await lock();
      codes.push((await unlock(desk, wrong)).body.code);
      if (i % 4 === 3) await unlock();
    }
    expect(codes).toEqual([...Array<string>(14).fill('wrong_pin'), 'pin_missing']);
  });

  test('tries are limited before any PIN is checked', async () => {
    await lock();
    const codes = [];
    for (let i = 0; i < 61; i++) codes.push((await unlock(desk, wrong)).body.code);
    expect(codes.at(-2)).toBe('pin_missing');
    expect(codes.at(-1)).toBe('too_many_tries');
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
