import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { google, office, queue, secondWays, team } from '#contract/index.ts';
import { readEnv } from '#server/env.ts';
import { openBrowser, type TestBrowser } from '#testing/app/test-browser.ts';
import { chooseAccount, client, startForger, startIssuer } from '#testing/stand-ins/google.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';

const redirectUri = 'http://localhost:3000/sign-in/google';
const dana = { sub: '1', name: 'Dana', email: 'Dana@google.test', email_verified: true };
const newcomer = { sub: '2', name: 'New', email: 'new@google.test', email_verified: true };
const unverified = { sub: '3', name: 'Not', email: 'victim@maple.test', email_verified: false };
const colleague = { sub: '4', name: 'Sam', email: 'Sam@google.test', email_verified: true };
const people = [dana, newcomer, unverified, colleague];

const issuer = await startIssuer(people, redirectUri);
afterAll(() => issuer.close());
const { testApp, wait } = await openIdleTestApp(issuer.env);

let browser: TestBrowser;
beforeEach(() => {
  wait(700);
  browser = openBrowser(testApp);
});

const start = async (by = browser) => (await by.call(google.startGoogle)).body.url;
const finish = (search: string, by = browser) => by.call(google.finishGoogle, { search });
const signInAs = async (sub: string | null, by = browser) =>
  finish(await chooseAccount(await start(by), sub, redirectUri), by);
const accounts = () => testApp.owner.selectFrom('auth.googleAccount').selectAll().orderBy('linkedAt').execute();
const identities = (value: string) =>
  testApp.owner.selectFrom('auth.identity').selectAll().where('value', '=', value).execute();

describe('signing in with Google', () => {
  test('starting sends the browser to Google with state, nonce and an S256 challenge, and stores them encrypted in a cookie', async () => {
    const { body, setCookies } = await browser.call(google.startGoogle);
    const asked = new URL(body.url);
    expect(asked.origin).toBe(issuer.issuer);
    const query = Object.fromEntries(asked.searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirectUri,
      scope: 'openid email',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge'] as const) expect(query[name]?.length).toBeGreaterThan(40);
    const cookie = setCookies.find((line) => line.startsWith('__Host-google=')) ?? '';
    for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Max-Age=600']) expect(cookie).toContain(flag);
    for (const secret of [query.state, query.nonce]) expect(cookie).not.toContain(secret);
  });

  test('a verified address creates a newcomer’s account, once', async () => {
    const { body } = await signInAs(newcomer.sub);
    expect(body.session).toMatchObject({ person: { email: 'new@google.test' }, gate: { because: 'no-office' } });
    const again = await signInAs(newcomer.sub, openBrowser(testApp));
    expect(again.body.session.person?.id).toBe(body.session.person?.id);
    expect(await accounts()).toHaveLength(1);
  });

  test('an existing account is linked by its verified address, and found by its subject from then on', async () => {
    const personId = await testApp.addStaff({ name: 'Dana Whitlock', email: 'dana@google.test' }, [testApp.maple]);
    const { body } = await signInAs(dana.sub);
    expect(body.session).toMatchObject({ person: { id: personId }, gate: { because: 'ready' } });
    expect((await browser.call(queue.listQueue)).status).toBe(200);
    expect((await browser.call(secondWays.readSecurity)).body.google).toBe('dana@google.test');

    dana.email = 'dana.married@google.test';
    dana.email_verified = false;
    expect((await signInAs(dana.sub, openBrowser(testApp))).body.session.person?.id).toBe(personId);
    expect(await identities('dana.married@google.test')).toEqual([]);
  });

  test('an address that Google has not verified links nothing', async () => {
    await testApp.addStaff({ name: 'Victim', email: 'victim@maple.test' }, [testApp.maple]);
    expect((await signInAs(unverified.sub)).body.code).toBe('google_email_unverified');
    expect((await browser.session()).person).toBeNull();
    expect((await accounts()).map(({ subject }) => subject)).not.toContain(unverified.sub);
  });

  test('signing in lists the invitations to the verified address without accepting any', async () => {
    const invite = (as: TestOffice, email = 'sam@google.test') =>
      testApp.call(team.inviteColleague, { body: { email, name: 'Sam Reyes' } }, { as });
    await testApp.prove(testApp.maple.personId);
    await invite(testApp.maple);
    wait(1);
    const { body } = await signInAs(colleague.sub);
    expect(body.session).toMatchObject({
      office: null,
      gate: { because: 'no-office' },
      invitations: [{ officeName: 'Maple Street Pediatrics', npi: testApp.maple.npi, email: 'sam@google.test' }],
    });
    const params = { invitationId: body.session.invitations[0]?.id ?? '' };
    await browser.call(team.joinOffice, undefined, {}, params);
    expect(await browser.session()).toMatchObject({ person: { name: 'Sam Reyes' }, office: { id: testApp.maple.id } });
    expect((await testApp.auditEntries(testApp.maple)).map(({ action }) => action)).toContain('staff.join');

    // Another address at Google, verified or not, shows the invitations of nobody else.
    const elsewhere = await testApp.office();
    await invite(elsewhere, 'dana@google.test');
    for (const verified of [false, true]) {
      Object.assign(colleague, { email: 'dana@google.test', email_verified: verified });
      const { session } = (await signInAs(colleague.sub, openBrowser(testApp))).body;
      expect([session.offices.length, session.invitations]).toEqual([1, []]);
    }
    Object.assign(colleague, { email: 'sam@google.test', email_verified: true });
  });

  test('a person who refuses at Google is not signed in', async () => {
    expect((await signInAs(null)).body.code).toBe('google_consent_refused');
    expect((await browser.session()).person).toBeNull();
  });

  test('Google counts only as the first step for a person with an authenticator app', async () => {
    const at = testApp.now();
    const { personId } = (await identities('dana@google.test'))[0] as { personId: string };
    const set = (authenticatorAt: Date | null) =>
      testApp.owner.updateTable('auth.person').set({ authenticatorAt }).where('id', '=', personId).execute();
    await set(at);
    expect((await signInAs(dana.sub)).body.session).toMatchObject({
      gate: { because: 'locked' },
      unlockBy: ['authenticator'],
    });
    expect((await browser.call(queue.listQueue)).status).toBe(401);
    await set(null);
  });
});

describe('refused returns from Google', () => {
  const searchOf = async () => chooseAccount(await start(), newcomer.sub, redirectUri);

  test('a return in another browser is refused', async () => {
    const search = await searchOf();
    expect((await finish(search, openBrowser(testApp))).body.code).toBe('google_refused');
    const other = openBrowser(testApp);
    await start(other);
    expect((await finish(search, other)).body.code).toBe('google_refused');
  });

  test('a second return is refused', async () => {
    const search = await searchOf();
    const cookies = new Map(browser.cookies);
    expect((await finish(search)).status).toBe(200);
    expect((await finish(search)).body.code).toBe('google_refused');
    expect((await finish(search, openBrowser(testApp, { cookies }))).body.code).toBe('google_refused');
  });

  test('a return after ten minutes is refused', async () => {
    const search = await searchOf();
    wait(601);
    expect((await finish(search)).body.code).toBe('google_refused');
  });

  test('a return with another nonce is refused', async () => {
    const asked = new URL(await start());
    asked.searchParams.set('nonce', 'of-somebody-else');
    expect((await finish(await chooseAccount(asked.href, newcomer.sub, redirectUri))).body.code).toBe('google_refused');
  });

  test('a return with another browser’s challenge is refused', async () => {
    const asked = new URL(await start());
    asked.searchParams.set('code_challenge', createHash('sha256').update('theirs').digest('base64url'));
    expect((await finish(await chooseAccount(asked.href, newcomer.sub, redirectUri))).body.code).toBe('google_refused');
  });

  test.each([
    '',
    '?',
    '?code=made-up',
    '?code=made-up&state=made-up',
    '?error=access_denied',
    '?code=a&code=b&state=c',
  ])('made up: %j', async (search) => {
    await start();
    const { status, body } = await finish(search);
    expect([status, body.code]).toEqual([400, 'google_refused']);
  });

  test('a return with a changed cookie is refused', async () => {
    const search = await searchOf();
    const cookie = browser.cookies.get('__Host-google') ?? '';
    browser.cookies.set('__Host-google', `${cookie.slice(0, -4)}AAAA`);
    expect((await finish(search)).body.code).toBe('google_refused');
  });
});

describe('refused ID tokens', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwt = (claims: object, key = privateKey) => {
    const signed = [{ alg: 'RS256', kid: 'one' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  };
  const seconds = () => Math.floor(Date.now() / 1000);

  let nonce = '';
  let tokenOf: (given: object) => string | number;
  let workspace: TestApp;
  const answers = (path: string, iss: string) => {
    if (path === '/.well-known/openid-configuration')
      return {
        issuer: iss,
        authorization_endpoint: `${iss}/auth`,
        token_endpoint: `${iss}/token`,
        jwks_uri: `${iss}/keys`,
      };
    if (path === '/keys')
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] };
    const right = {
      iss,
      aud: client.clientId,
      sub: '9',
      iat: seconds(),
      exp: seconds() + 300,
      nonce,
      hd: 'maple.test',
    };
    const token = tokenOf({ ...right, email: 'nine@google.test', email_verified: true });
    return typeof token === 'number' ? token : { access_token: 'a', token_type: 'Bearer', id_token: token };
  };
  beforeAll(async () => {
    const forger = await startForger(answers);
    const env = { TRUST_PROXY: '127.0.0.1', ...forger.env, GOOGLE_HOSTED_DOMAIN: 'maple.test' };
    workspace = await openTestApp({ beside: testApp, env });
    return async () => {
      await workspace.close();
      forger.close();
    };
  });

  test.each<[string, (given: object) => string | number, string]>([
    ['not at all when all is right', (given) => jwt(given), 'in'],
    ['of another issuer', (given) => jwt({ ...given, iss: 'https://accounts.example' }), 'google_refused'],
    ['for another client', (given) => jwt({ ...given, aud: 'another-client' }), 'google_refused'],
    ['for another client too', (given) => jwt({ ...given, aud: [client.clientId, 'b'], azp: 'b' }), 'google_refused'],
    ['that is over', (given) => jwt({ ...given, exp: seconds() - 120 }), 'google_refused'],
    ['without a nonce', (given) => jwt({ ...given, nonce: undefined }), 'google_refused'],
    ['without an address', (given) => jwt({ ...given, email: undefined }), 'google_refused'],
    ['of another key', (given) => jwt(given, other.privateKey), 'google_refused'],
    [
      'with nothing said about the address',
      (given) => jwt({ ...given, sub: '10', email_verified: undefined }),
      'google_email_unverified',
    ],
    [
      'of another Workspace than the one configured',
      (given) => jwt({ ...given, hd: 'elsewhere.test' }),
      'google_refused',
    ],
    ['while the issuer is down', () => 503, 'google_unavailable'],
  ])('%s', async (_why, made, expected) => {
    tokenOf = made;
    const by = openBrowser(workspace);
    const asked = new URL(await start(by));
    nonce = asked.searchParams.get('nonce') ?? '';
    const { body } = await finish(`?code=x&state=${asked.searchParams.get('state')}`, by);
    expect(body.code ?? 'in').toBe(expected);
  });

  test('an unreachable issuer is reported, and sign-in works once it is back', async () => {
    const { env, close } = await startForger(() => 503);
    const beside = await openTestApp({ beside: testApp, env: { TRUST_PROXY: '127.0.0.1', ...env } });
    expect((await openBrowser(beside).call(google.startGoogle)).body.code).toBe('google_unavailable');
    close();
    expect((await openBrowser(beside).call(google.startGoogle)).body.code).toBe('google_unavailable');
    await beside.close();
  });
});

describe('Google without configuration', () => {
  test('the demo has a local issuer of test people at /dev/google', async () => {
    const beside = await openTestApp({ beside: testApp });
    const address = await beside.listen();
    const by = openBrowser(beside);
    expect((await by.call(office.readPublicConfig)).body).toMatchObject({ google: true });
    const { url } = (await by.call(google.startGoogle)).body;
    expect(url).toMatch(/^http:\/\/localhost:3000\/dev\/google\/auth\?/);
    // The test's browser reaches it under the port it really has.
    const real = (at: string) => at.replace('http://localhost:3000', address);
    const picker = await fetch(real(url));
    expect(picker.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await picker.text();
    for (const part of ['front@maple.test', '(not verified)', 'Refuse']) expect(html).toContain(part);
    await beside.close();
  });

  test.each([{ GOOGLE_CLIENT_ID: 'id' }, { GOOGLE_CLIENT_SECRET: 'secret' }])(
    'the server does not start with half of the configuration: %j',
    (env) => {
      expect(() => readEnv({ DATA_DIR: testApp.env.dataDir, ...env })).toThrow('go together');
    },
  );

  test('outside the demo Google is unavailable', async () => {
    const beside = await openTestApp({ beside: testApp, env: { TRUST_PROXY: '127.0.0.1', NODE_ENV: 'production' } });
    const by = openBrowser(beside);
    expect((await by.call(office.readPublicConfig)).body.google).toBe(false);
    expect((await by.call(google.startGoogle)).status).toBe(503);
    await beside.close();
  });
});
