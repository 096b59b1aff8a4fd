import { beforeEach, describe, expect, test } from 'vitest';
import { queue, secondWays, session as sessions } from '#contract/index.ts';
import { runCommand } from '#server/kit/command.ts';
import { authenticatorFor as codesOf } from '#testing/fixtures/authenticator.ts';
import { codeFor, openBrowser, sentTo, differentCode, type TestBrowser } from '#testing/app/test-browser.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';
import type { TestOffice } from '#testing/app/test-app.ts';
import { personCommands } from './commands.ts';

const { testApp, wait } = await openIdleTestApp();
let people = 0;

let who: { email: string };
let desk: TestBrowser;
let office: TestOffice;
beforeEach(async () => {
  wait(3600);
  who = { email: `app${++people}@sign-in.test` };
  office = await testApp.office();
  await testApp.addStaff({ name: 'Dana Whitlock', ...who }, [office]);
  desk = openBrowser(testApp);
  await desk.signIn(who);
});

/** The phone with the app: what it shows now. */
const appOf = (secret: string) => {
  const codeOfApp = codesOf(secret);
  return () => codeOfApp(testApp.now());
};
const setUp = async (browser = desk) => {
  const app = appOf((await browser.call(secondWays.startAuthenticator)).body.secret);
  const { body } = await browser.call(secondWays.confirmAuthenticator, { code: app() });
  wait(30);
  return { app, recoveryCodes: body.recoveryCodes };
};
const enter = (browser: TestBrowser, code: string) => browser.call(secondWays.unlockWithAuthenticator, { code });
const signedIn = async () => {
  const browser = openBrowser(testApp);
  wait(31);
  await browser.signIn(who);
  return browser;
};

describe('setting up an authenticator app', () => {
  test('setup shows a QR code and activates the app after the first right code', async () => {
    const started = await desk.call(secondWays.startAuthenticator);
    expect(started.body.uri).toBe(
      `otpauth://totp/Anteroom:${encodeURIComponent(who.email)}?secret=${started.body.secret}&issuer=Anteroom`,
    );
    expect(started.body.qrSvg).toMatch(/^<svg /);
    const app = appOf(started.body.secret);
    expect((await desk.call(secondWays.confirmAuthenticator, { code: differentCode(app()) })).body.code).toBe(
      'wrong_code',
    );
    expect((await desk.call(secondWays.readSecurity)).body.authenticator.since).toBeNull();

    const confirmed = await desk.call(secondWays.confirmAuthenticator, { code: app() });
    expect(confirmed.body.recoveryCodes).toHaveLength(10);
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10);
    expect(confirmed.body.security.authenticator).toEqual({
      since: testApp.now().toISOString(),
      recoveryCodesLeft: 10,
    });
    expect((await desk.call(queue.listQueue)).status).toBe(200);
    expect((await sentTo(testApp, who.email))[0]?.body).toContain('An authenticator app was set up for your account.');
    expect((await testApp.auditEntries(office)).map(({ action }) => action)).toContain('authenticator.set');
  });

  test('the database holds neither the secret nor the recovery codes in plain text', async () => {
    const { body } = await desk.call(secondWays.startAuthenticator);
    const { recoveryCodes } = await setUp();
    const rows = JSON.stringify([
      await testApp.owner.selectFrom('auth.authenticator').selectAll().execute(),
      await testApp.owner.selectFrom('auth.recoveryCode').selectAll().execute(),
    ]);
    for (const secret of [body.secret, ...recoveryCodes]) expect(rows).not.toContain(secret);
  });

  test('setup requires a proof of identity within ten minutes; with an app, a code by email is not one', async () => {
    wait(11 * 60);
    expect((await desk.call(secondWays.startAuthenticator)).body.code).toBe('proof_needed');
    await desk.call(sessions.requestUnlockCode);
    await desk.call(sessions.unlockSession, { code: await codeFor(testApp, who.email) });
    const { app } = await setUp();
    wait(11 * 60);
    await desk.call(sessions.requestUnlockCode);
    await desk.call(sessions.unlockSession, { code: await codeFor(testApp, who.email) });
    expect((await desk.call(secondWays.removeAuthenticator)).body.code).toBe('proof_needed');
    await enter(desk, app());
    expect((await desk.call(secondWays.removeAuthenticator)).body.authenticator.since).toBeNull();
  });

  test('setup locks the person’s other devices until they enter a code of the app', async () => {
    const phone = await signedIn();
    expect((await phone.call(queue.listQueue)).status).toBe(200);
    await setUp();
    expect((await phone.call(queue.listQueue)).body.code).toBe('session_locked');
    expect((await desk.call(queue.listQueue)).status).toBe(200);
  });
});

test('adding and removing the app again and again sends at most ten notices an hour', async () => {
  for (let i = 0; i < 6; i++) {
    await setUp();
    expect((await desk.call(secondWays.removeAuthenticator)).status).toBe(200);
  }
  const notices = await testApp.owner
    .selectFrom('dev.outbox')
    .select('id')
    .where('recipient', '=', who.email)
    .where('body', 'like', '%If it was not you%')
    .execute();
  expect(notices).toHaveLength(10);
});

describe('signing in with an authenticator app', () => {
  test('a session opened by code shows nothing until the app’s six digits are entered; a code by email does not replace them', async () => {
    const { app } = await setUp();
    const browser = await signedIn();
    const session = await browser.session();
    expect(session).toMatchObject({
      gate: { because: 'locked' },
      unlockBy: ['authenticator'],
      person: { email: null },
    });
    expect((await browser.call(queue.listQueue)).status).toBe(401);
    expect((await browser.call(sessions.requestUnlockCode)).body.code).toBe('second_step_needed');
    expect((await browser.call(sessions.unlockSession, { code: '000000' })).body.code).toBe('second_step_needed');
    expect((await browser.call(secondWays.startAuthenticator)).status).toBe(401);

    expect((await enter(browser, differentCode(app()))).body.code).toBe('wrong_code');
    expect((await enter(browser, ` ${app().slice(0, 3)} ${app().slice(3)} `)).body.gate.because).toBe('ready');
    expect((await browser.call(queue.listQueue)).status).toBe(200);
  });

  test('each six digits work once, also from two devices in parallel', async () => {
    const { app } = await setUp();
    const browsers = [await signedIn(), await signedIn(), await signedIn()];
    const code = app();
    const answers = await Promise.all(browsers.map((browser) => enter(browser, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('200 parallel guesses count ten, pass nobody, and lock out only for a short time', async () => {
    const { app } = await setUp();
    const browser = await signedIn();
    const guesses = Array.from({ length: 200 }, (_, i) =>
      String((Number(app()) + 7 + i * 13) % 1_000_000).padStart(6, '0'),
    );
    const answers = await Promise.all(guesses.map((guess) => enter(browser, guess)));
    const count = (code: string) => answers.filter(({ body }) => body.code === code).length;
    expect([count('wrong_code'), count('too_many_tries')]).toEqual([10, 190]);
    expect((await enter(browser, app())).body.code).toBe('too_many_tries');
    wait(15 * 60 + 1);
    expect((await enter(browser, app())).status).toBe(200);
  });

  test('a recovery code works once, in any spelling, and its owner is notified', async () => {
    const { recoveryCodes } = await setUp();
    const [first = '', second = ''] = recoveryCodes;
    const answers = await Promise.all(
      [await signedIn(), await signedIn()].map((browser) =>
        enter(browser, ` ${first.toLowerCase().replace('-', ' ')} `),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await sentTo(testApp, who.email))[0]?.body).toContain('A recovery code was used');
    expect((await desk.call(secondWays.readSecurity)).body.authenticator.recoveryCodesLeft).toBe(9);

    await desk.call(secondWays.renewRecoveryCodes);
    expect((await enter(await signedIn(), second)).body.code).toBe('wrong_code');
  });

  test('an idle panel is unlocked by the app’s digits or by a code', async () => {
    const { app } = await setUp();
    for (const open of [
      () => enter(desk, app()),
      async () => {
        await desk.call(sessions.requestUnlockCode);
        return desk.call(sessions.unlockSession, { code: await codeFor(testApp, who.email) });
      },
    ]) {
      await desk.call(sessions.lockSession);
      expect((await desk.session()).unlockBy).toEqual(['authenticator', 'code']);
      expect((await open()).body.gate.because).toBe('ready');
      wait(31);
    }
  });

  test('digits of another person’s app do not work', async () => {
    const { app } = await setUp();
    const other = openBrowser(testApp);
    await other.signIn({ email: `other${people}@sign-in.test` });
    await other.call(sessions.lockSession);
    expect((await enter(other, app())).body.code).toBe('wrong_code');
  });

  test('signing in takes one step again after the app is removed', async () => {
    await setUp();
    await desk.call(secondWays.removeAuthenticator);
    const browser = await signedIn();
    expect((await browser.session()).gate.because).toBe('ready');
  });
});

test('the operator resets the app of a person who lost it and the recovery codes', async () => {
  await setUp();
  const said: string[] = [];
  const type = (...typed: string[]) =>
    runCommand(personCommands, typed, {
      services: testApp.services,
      owner: testApp.owner,
      ownerUrl: testApp.url,
      say: (line) => void said.push(line),
    });
  await type('person', 'reset-authenticator', who.email.toUpperCase());
  expect(said).toEqual([
    `${who.email.toUpperCase()} signs in with a code alone from now on, and was signed out of 1 devices.`,
  ]);
  expect((await desk.session()).person).toBeNull();
  expect((await (await signedIn()).session()).gate.because).toBe('ready');
  await expect(type('person', 'reset-authenticator', who.email)).rejects.toThrow('no authenticator app');
  await expect(type('person', 'reset-authenticator', 'nobody@sign-in.test')).rejects.toThrow('Nobody signs in');
  expect((await testApp.auditEntries(office)).at(-2)).toMatchObject({
    action: 'authenticator.remove',
    actor: 'operator',
  });
});

describe('an office that requires an authenticator app', () => {
  const ask = (browser: TestBrowser, required = true) => browser.call(secondWays.requireAuthenticator, { required });

  test('only a person with an app can require one', async () => {
    expect((await ask(desk)).body.code).toBe('authenticator_missing');
    await setUp();
    expect((await ask(desk)).body.office).toEqual({
      officeName: expect.any(String) as string,
      requiresAuthenticator: true,
      lockMinutes: 15,
    });
    expect((await testApp.auditEntries(office)).at(-1)).toMatchObject({
      action: 'settings.change',
      subject: 'security',
    });
  });

  test('a colleague without an app sees nothing of the office until setup; their other offices are unaffected', async () => {
    const second = await testApp.office();
    const colleague = openBrowser(testApp);
    const theirs = { email: `colleague${people}@sign-in.test` };
    await testApp.addStaff({ name: 'Luis', ...theirs }, [office, second]);
    await colleague.signIn(theirs);
    expect((await colleague.call(queue.listQueue)).status).toBe(200);
    await setUp();
    await ask(desk);

    for (const call of [queue.listQueue, secondWays.requireAuthenticator] as const)
      expect((await colleague.call(call as typeof queue.listQueue, { required: false })).body.code).toBe(
        'authenticator_missing',
      );
    expect((await colleague.session()).gate).toEqual({ to: '/', because: 'authenticator-missing' });
    expect((await colleague.session()).office?.authenticatorMissing).toBe(true);
    expect((await colleague.call(queue.listQueue, undefined, { 'x-office': second.id })).status).toBe(200);

    await setUp(colleague);
    expect((await colleague.session()).gate.because).toBe('ready');
    expect((await colleague.call(queue.listQueue)).status).toBe(200);
    await ask(colleague, false);
    expect((await desk.call(secondWays.readSecurity)).body.office?.requiresAuthenticator).toBe(false);
  });
});
