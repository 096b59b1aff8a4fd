import { beforeEach, describe, expect, test } from 'vitest';
import { queue, session } from '#contract/index.ts';
import { codeFor, openBrowser, sentTo, differentCode, type TestBrowser } from '#testing/app/test-browser.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';

// The demo's own limits are far higher.
const { testApp, wait } = await openIdleTestApp({ DEMO: '0' });
let people = 0;

const readQueue = (browser: TestBrowser) => browser.call(queue.listQueue);

let desk: TestBrowser;
let email: string;
beforeEach(async () => {
  wait(60);
  email = `desk${++people}@sign-in.test`;
  await testApp.addStaff({ name: 'Dana Whitlock', email }, [testApp.maple]);
  desk = openBrowser(testApp);
  await desk.signIn({ email });
});

describe('the idle lock', () => {
  test('the idle lock refuses data after fifteen minutes without input; polls do not count, and the session stays', async () => {
    for (let minute = 0; minute < 14; minute++) {
      wait(60);
      expect((await readQueue(desk)).status).toBe(200);
      expect((await desk.session()).gate.because).toBe('ready');
    }
    wait(60);
    const refused = await readQueue(desk);
    expect(refused.status).toBe(401);
    expect(refused.body.code).toBe('session_locked');
    const session = await desk.session();
    expect(session.gate).toEqual({ to: '/', because: 'locked' });
    expect(session.person).toMatchObject({ name: 'Dana Whitlock', email: null, phone: null });
  });

  test('a locked session counts the patients who wait in its office, and names nobody', async () => {
    await testApp.visit({ office: testApp.other });
    expect((await desk.session()).waiting).toBeNull();
    await desk.call(session.lockSession);
    const before = (await desk.session()).waiting ?? Number.NaN;
    await testApp.visit({ firstName: 'Zebulon' });
    const locked = await desk.session();
    expect(locked.waiting).toBe(before + 1);
    expect(JSON.stringify(locked)).not.toContain('Zebulon');
  });

  test('input restarts the idle time', async () => {
    wait(14 * 60);
    const active = await desk.call(session.stayActive);
    expect(active.body.locksAt).toBe(new Date(testApp.now().getTime() + 15 * 60_000).toISOString());
    wait(14 * 60);
    expect((await readQueue(desk)).status).toBe(200);
  });

  test('the idle time counts from the last input, which is reported up to a minute later and never moves back', async () => {
    wait(10 * 60);
    const told = await desk.call(session.stayActive, { secondsAgo: 40 });
    const end = new Date(testApp.now().getTime() - 40_000 + 15 * 60_000).toISOString();
    expect(told.body.locksAt).toBe(end);
    wait(5);
    expect((await desk.call(session.stayActive, { secondsAgo: 60 })).body.locksAt).toBe(end);
    expect((await desk.call(session.stayActive, { secondsAgo: 3600 })).status).toBe(400);
  });

  test('input reported too late does not unlock', async () => {
    wait(15 * 60);
    const late = await desk.call(session.stayActive);
    expect(late.status).toBe(401);
    expect(late.body.code).toBe('session_locked');
    expect((await readQueue(desk)).status).toBe(401);
  });

  test('a person who leaves the desk locks the panel themselves', async () => {
    expect((await desk.call(session.lockSession)).body).toEqual({ locked: true });
    expect((await readQueue(desk)).body.code).toBe('session_locked');
    expect((await desk.call(session.stayActive)).status).toBe(401);
  });

  test('the idle lock does not apply to bearer tokens', async () => {
    const read = () => testApp.call(queue.listQueue);
    wait(16 * 60);
    expect((await read()).status).toBe(200);
  });
});

describe('unlocking', () => {
  beforeEach(() => wait(15 * 60));

  test('a code sent to the email the person signed in with unlocks, and the same session continues', async () => {
    const before = desk.cookies.get('__Host-anteroom');
    const asked = await desk.call(session.requestUnlockCode);
    expect(asked.body).toMatchObject({ sentTo: 'd•••@sign-in.test', resendAfterSeconds: 30 });
    const code = await codeFor(testApp, email);

    expect((await desk.call(session.unlockSession, { code: differentCode(code) })).body.code).toBe('wrong_code');
    const unlocked = await desk.call(session.unlockSession, { code });
    expect(unlocked.body).toMatchObject({ gate: { because: 'ready' }, person: { email } });
    expect(desk.cookies.get('__Host-anteroom')).toBe(before);
    expect((await readQueue(desk)).status).toBe(200);
    expect((await desk.call(session.unlockSession, { code })).body.code).toBe('wrong_code');
  });

  test('the unlock code goes to the phone of a person who signed in by phone', async () => {
    const phone = `+1212555${String(6000 + people)}`;
    await testApp.addStaff({ name: 'Luis', email: `luis${people}@sign-in.test`, phone }, [testApp.maple]);
    const browser = openBrowser(testApp);
    await browser.signIn({ phone });
    await browser.call(session.lockSession);
    expect((await browser.call(session.requestUnlockCode)).body.sentTo).toBe(`(•••) •••-${phone.slice(-4)}`);
    expect(await sentTo(testApp, phone)).toHaveLength(2);
  });

  test('a sign-in code does not unlock, and an unlock code does not sign in', async () => {
    wait(31);
    await openBrowser(testApp).ask({ email });
    expect((await desk.call(session.unlockSession, { code: await codeFor(testApp, email) })).body.code).toBe(
      'wrong_code',
    );
    await desk.call(session.requestUnlockCode);
    const code = await codeFor(testApp, email);
    expect((await openBrowser(testApp).enter({ email }, code)).body.code).toBe('wrong_code');
    expect((await openBrowser(testApp, { cookies: desk.cookies }).enter({ email }, code)).body.code).toBe('wrong_code');
  });

  test('an expired or used-up code does not unlock', async () => {
    await desk.call(session.requestUnlockCode);
    const code = await codeFor(testApp, email);
    wait(180);
    expect((await desk.call(session.unlockSession, { code })).body.code).toBe('code_expired');
    await desk.call(session.requestUnlockCode);
    const next = await codeFor(testApp, email);
    for (let i = 0; i < 5; i++) await desk.call(session.unlockSession, { code: differentCode(next) });
    expect((await desk.call(session.unlockSession, { code: next })).body.code).toBe('code_used_up');
  });

  test('unlocking requires a session', async () => {
    const stranger = openBrowser(testApp);
    const asked = await stranger.call(session.requestUnlockCode);
    const tried = await stranger.call(session.unlockSession, { code: '123456' });
    expect([asked.body.code, tried.body.code]).toEqual(['not_signed_in', 'not_signed_in']);
  });

  test('locking and unlocking are in the audit log', async () => {
    await desk.call(session.requestUnlockCode);
    await desk.call(session.unlockSession, { code: await codeFor(testApp, email) });
    await desk.call(session.lockSession);
    const actions = (await testApp.auditEntries()).map(({ action }) => action);
    expect(actions.slice(-2)).toEqual(['session.unlock', 'session.lock']);
  });

  test('each session has its own hourly limit of unlock codes', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) statuses.push((await desk.call(session.requestUnlockCode)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(await sentTo(testApp, email)).toHaveLength(21);
  });
});

describe('the end of a session', () => {
  test('signing out ends the session at once and clears its cookie', async () => {
    const before = new Map(desk.cookies);
    const answer = await desk.call(session.signOut);
    expect(answer.body).toEqual({ signedOut: true });
    expect(desk.cookies.has('__Host-anteroom')).toBe(false);
    expect(desk.cookies.has('__Host-device')).toBe(true);
    const stolen = openBrowser(testApp, { cookies: before });
    expect((await readQueue(stolen)).body.code).toBe('not_signed_in');
    expect(await stolen.session()).toMatchObject({ person: null, offices: [], office: null, expiresAt: null });
    expect((await desk.call(session.signOut)).body).toEqual({ signedOut: false });
    expect((await testApp.auditEntries()).at(-1)?.action).toBe('session.end');
  });

  test('a locked session can sign out', async () => {
    await desk.call(session.lockSession);
    expect((await desk.call(session.signOut)).body).toEqual({ signedOut: true });
  });

  test('a session ends after twelve hours even if it is in use', async () => {
    for (let i = 0; i < 12 * 6 - 1; i++) {
      wait(600);
      await desk.call(session.stayActive);
      await desk.call(session.refreshSession);
    }
    expect((await readQueue(desk)).status).toBe(200);
    wait(600);
    expect((await readQueue(desk)).body.code).toBe('not_signed_in');
  });
});

describe('the description of a session', () => {
  test('a session reveals nothing about another person’s office', async () => {
    const session = await desk.session({ 'x-office': testApp.other.id });
    expect(session.office).toBeNull();
    expect(session.gate.because).toBe('choose-office');
    expect(JSON.stringify(session)).not.toContain('CANARY');
    const refused = await desk.call(queue.listQueue, undefined, { 'x-office': testApp.other.npi });
    expect([refused.status, refused.body.code]).toEqual([404, 'office_not_found']);
  });

  test('a session describes the office the tab names, by id or NPI', async () => {
    const second = await testApp.office({ name: 'Maple Annex' });
    const both = `both${people}@sign-in.test`;
    await testApp.addStaff({ name: 'Both', email: both }, [testApp.maple, second]);
    const browser = openBrowser(testApp);
    expect((await browser.signIn({ email: both })).office?.id).toBe(testApp.maple.id);
    expect((await browser.session({ 'x-office': second.id })).office?.officeName).toBe('Maple Annex');
    expect((await browser.session({ 'x-office': second.npi })).office?.id).toBe(second.id);
    expect((await browser.session()).offices).toHaveLength(2);
  });

  test.each([
    [{ signed: false }, 'agreement-missing'],
    [{ emr: 'AthenaOne' }, 'payments-question'],
    [{ emr: 'AthenaOne', paymentsQuestionCompleted: true }, 'ready'],
    [{ settings: { adminPanelType: 'sms' } }, 'sms-mode'],
    [{ settings: { providers: [{ name: 'ambu', adminNavBar: true, enabled: true }] } }, 'ambulatory'],
    [{ settings: { disableCheckin: true } }, 'checkin-disabled'],
  ])('where the gate leads: %j → %s', async (given, because) => {
    const office = await testApp.office(given);
    const who = `gate${office.npi}@sign-in.test`;
    await testApp.addStaff({ name: 'Gate', email: who }, [office]);
    const session = await openBrowser(testApp).signIn({ email: who });
    expect(session.gate.because).toBe(because);
    expect(session.flags.disableCheckin ?? false).toBe(because === 'checkin-disabled');
  });

  test('the gate leads to the panel of the colleague whose view a person was given, unless the person has one', async () => {
    const office = await testApp.office();
    const who = `viewer${office.npi}@sign-in.test`;
    const doctor = await testApp.addStaff({ name: 'Dr. Stone', email: `dr${office.npi}@sign-in.test` }, [office]);
    const viewer = await testApp.addStaff({ name: 'Viewer', email: who }, [office]);
    const saveSettings = (id: string, settings: Record<string, unknown>) =>
      testApp.owner
        .updateTable('auth.person')
        .set({ settings: JSON.stringify(settings) })
        .where('id', '=', id)
        .execute();
    await saveSettings(doctor, { providers: [{ name: 'ambu', adminNavBar: true, enabled: true }] });
    const browser = openBrowser(testApp);
    expect((await browser.signIn({ email: who })).gate.because).toBe('ready');
    await saveSettings(viewer, { visibleDoctor: doctor });
    expect((await browser.session()).gate).toEqual({ to: '/dashboard/patients', because: 'ambulatory' });
    await saveSettings(doctor, { adminPanelType: 'sms' });
    expect((await browser.session()).gate).toEqual({ to: '/sms-dashboard', because: 'sms-mode' });
    await saveSettings(viewer, { visibleDoctor: doctor, adminPanelType: 'full' });
    expect((await browser.session()).gate.because).toBe('ready');
  });

  test('a session describes the person and their preferences; the language applies to texts too', async () => {
    const saved = await desk.call(session.savePreferences, { language: 'es', theme: 'dark', density: 'compact' });
    expect(saved.body.person).toMatchObject({ language: 'es', preferences: { theme: 'dark', density: 'compact' } });
    await desk.call(session.savePreferences, { density: 'comfortable' });
    expect((await desk.session()).person).toMatchObject({
      language: 'es',
      preferences: { theme: 'dark', density: 'comfortable' },
    });
  });

  test('a signed-out session describes nothing', async () => {
    expect(await openBrowser(testApp).session()).toEqual({
      person: null,
      offices: [],
      office: null,
      invitations: [],
      flags: {},
      gate: { to: '/', because: 'signed-out' },
      unlockBy: [],
      waiting: null,
      expiresAt: null,
      tokenExpiresAt: null,
      locksAt: null,
      now: testApp.now().toISOString(),
    });
  });
});
