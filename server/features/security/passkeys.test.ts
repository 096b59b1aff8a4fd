import { beforeEach, describe, expect, test } from 'vitest';
import { queue, secondWays, session } from '#contract/index.ts';
import { openBrowser, sentTo, type TestBrowser } from '#testing/app/test-browser.ts';
import { throwawayCertificate } from '#testing/stand-ins/certificate.ts';
import { openPasskey } from '#testing/stand-ins/passkey.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';

const { testApp, wait } = await openIdleTestApp();
let people = 0;

let who: { email: string };
let desk: TestBrowser;
let key: ReturnType<typeof openPasskey>;
beforeEach(async () => {
  wait(3600);
  who = { email: `passkeys${++people}@sign-in.test` };
  await testApp.addStaff({ name: 'Dana Whitlock', ...who }, [testApp.maple]);
  desk = openBrowser(testApp);
  await desk.signIn(who);
  key = openPasskey();
});

const { startPasskey, requestPasskey, requestUnlockPasskey } = secondWays;
const asks = { startPasskey, requestPasskey, requestUnlockPasskey };
const optionsOf = async (browser: TestBrowser, of: keyof typeof asks) => (await browser.call(asks[of])).body;
const register = async (browser = desk, passkey = key) =>
  browser.call(secondWays.addPasskey, { response: passkey.make(await optionsOf(browser, 'startPasskey')) });
const signInWith = async (browser: TestBrowser, passkey = key, more: object = {}) =>
  browser.call(secondWays.verifyPasskey, {
    response: passkey.sign(await optionsOf(browser, 'requestPasskey')),
    ...more,
  });

describe('a passkey', () => {
  test('a passkey is added in the security settings with a name, and its owner is notified', async () => {
    const { options } = await optionsOf(desk, 'startPasskey');
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Anteroom' },
      user: { name: who.email, displayName: 'Dana Whitlock' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    const added = await desk.call(secondWays.addPasskey, { name: ' My phone ', response: key.make({ options }) });
    expect(added.body.passkeys).toMatchObject([{ name: 'My phone', synced: false, lastUsedAt: null }]);
    expect((await sentTo(testApp, who.email))[0]?.body).toContain('A passkey was added to your account.');
    expect((await testApp.auditEntries()).at(-1)).toMatchObject({
      action: 'passkey.add',
      subject: added.body.passkeys[0]?.id,
    });
    const again = await optionsOf(desk, 'startPasskey');
    expect(again.options.excludeCredentials).toMatchObject([{ id: key.id }]);
  });

  test('adding a passkey requires a proof of identity within ten minutes', async () => {
    wait(11 * 60);
    expect((await desk.call(secondWays.startPasskey)).body.code).toBe('proof_needed');
    expect((await desk.call(secondWays.readSecurity)).body.provedUntil).toBeNull();
    await desk.call(session.requestUnlockCode);
    const [mail] = await sentTo(testApp, who.email);
    await desk.call(session.unlockSession, { code: /\d{6}/.exec(mail?.body ?? '')?.[0] });
    expect((await register()).status).toBe(200);
  });

  test('a passkey signs in without a code and counts as both steps', async () => {
    await register();
    const browser = openBrowser(testApp);
    const answer = await signInWith(browser);
    expect(answer.body.session).toMatchObject({ person: { email: who.email }, gate: { because: 'ready' } });
    expect((await browser.call(queue.listQueue)).status).toBe(200);
    const { body } = await browser.call(secondWays.readSecurity);
    expect(body.passkeys[0]?.lastUsedAt).toBe(testApp.now().toISOString());
  });

  test('signing in with a passkey returns a bearer token on request', async () => {
    await register();
    const answer = await signInWith(openBrowser(testApp), key, { bearer: true });
    expect(answer.setCookies).toEqual([]);
    expect(answer.body.token).toMatch(/^[\w-]{48}$/);
  });

  test('a passkey unlocks a panel, and the same session continues', async () => {
    await register();
    await desk.call(session.lockSession);
    expect((await desk.session()).unlockBy).toEqual(['passkey', 'code']);
    const asked = await optionsOf(desk, 'requestUnlockPasskey');
    expect(asked.options.allowCredentials).toMatchObject([{ id: key.id }]);
    const opened = await desk.call(secondWays.unlockWithPasskey, { response: key.sign(asked) });
    expect(opened.body.gate.because).toBe('ready');
    expect((await desk.call(queue.listQueue)).status).toBe(200);
  });

  test('another person’s passkey does not unlock', async () => {
    await register();
    const colleague = openBrowser(testApp);
    const theirs = openPasskey();
    await colleague.signIn({ email: `staff-${testApp.maple.npi}@maple.test` });
    await register(colleague, theirs);
    await desk.call(session.lockSession);
    const response = theirs.sign(await optionsOf(desk, 'requestUnlockPasskey'));
    expect((await desk.call(secondWays.unlockWithPasskey, { response })).body.code).toBe('passkey_refused');
    expect((await desk.call(queue.listQueue)).status).toBe(401);
  });

  test('a removed passkey signs nobody in; another person cannot remove it', async () => {
    const [{ id: passkeyId = '' } = {}] = (await register()).body.passkeys;
    const stranger = openBrowser(testApp);
    await stranger.signIn({ email: `stranger${people}@sign-in.test` });
    const remove = (browser: TestBrowser) => browser.call(secondWays.removePasskey, undefined, {}, { passkeyId });
    expect((await remove(stranger)).status).toBe(404);
    expect((await remove(desk)).body.passkeys).toEqual([]);
    expect((await signInWith(openBrowser(testApp))).body.code).toBe('passkey_refused');
  });
});

test('a passkey that comes with a certificate nobody requested is refused', async () => {
  const response = key.make(await optionsOf(desk, 'startPasskey'), { attestedBy: throwawayCertificate() });
  const { status, body } = await desk.call(secondWays.addPasskey, { response });
  expect([status, body.code]).toEqual([400, 'passkey_refused']);
  expect((await desk.call(secondWays.readSecurity)).body.passkeys).toEqual([]);
});

describe('refused passkey signatures', () => {
  beforeEach(async () => void (await register()));

  test.each([
    ['made on another site', { origin: 'https://anteroom.example' }],
    ['made for another site', { rpId: 'anteroom.example' }],
    ['of a device that did not ask who holds it', { unverified: true as const }],
  ])('%s', async (_why, lies) => {
    const browser = openBrowser(testApp);
    const response = key.sign(await optionsOf(browser, 'requestPasskey'), lies);
    expect((await browser.call(secondWays.verifyPasskey, { response })).body.code).toBe('passkey_refused');
  });

  test('a signature is refused the second time, also in parallel', async () => {
    const response = key.sign(await optionsOf(openBrowser(testApp), 'requestPasskey'));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => openBrowser(testApp).call(secondWays.verifyPasskey, { response })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a signature is refused after five minutes', async () => {
    const response = key.sign(await optionsOf(openBrowser(testApp), 'requestPasskey'));
    wait(301);
    expect((await openBrowser(testApp).call(secondWays.verifyPasskey, { response })).body.code).toBe('passkey_refused');
  });

  test('a signature is refused for another purpose or another session’s unlocking', async () => {
    const forSignIn = key.sign(await optionsOf(desk, 'requestPasskey'));
    expect((await desk.call(secondWays.unlockWithPasskey, { response: forSignIn })).status).toBe(400);
    const forUnlock = key.sign(await optionsOf(desk, 'requestUnlockPasskey'));
    expect((await openBrowser(testApp).call(secondWays.verifyPasskey, { response: forUnlock })).status).toBe(400);
    const other = openBrowser(testApp);
    await signInWith(other);
    const otherUnlock = key.sign(await optionsOf(desk, 'requestUnlockPasskey'));
    expect((await other.call(secondWays.unlockWithPasskey, { response: otherUnlock })).status).toBe(400);
  });

  test('a signature with an outdated counter (a cloned passkey) is refused', async () => {
    expect((await signInWith(openBrowser(testApp))).status).toBe(200);
    key.turnBack(1);
    expect((await signInWith(openBrowser(testApp))).body.code).toBe('passkey_refused');
  });

  test('a signature of an unknown key, or under another credential’s name, is refused', async () => {
    const made = { ...openPasskey().sign(await optionsOf(desk, 'requestPasskey')), id: key.id, rawId: key.id };
    expect((await openBrowser(testApp).call(secondWays.verifyPasskey, { response: made })).status).toBe(400);
  });
});
