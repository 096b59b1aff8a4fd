import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '#server/kit/command.ts';
import { vendorKey } from '#testing/stand-ins/dropbox-sign-callback.ts';
import { openContractServer, specsDir } from '#testing/stand-ins/contract-server.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { openS3Server } from '#testing/stand-ins/s3-server.ts';
import { openTwilio } from '#testing/stand-ins/twilio.ts';
import { smokeCommands } from './smoke-commands.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

async function type(testApp: TestApp, ...args: string[]) {
  const said: string[] = [];
  const desk = {
    services: testApp.services,
    owner: testApp.owner,
    ownerUrl: testApp.url,
    say: (line: string) => void said.push(line),
  };
  const code = await runCommand(smokeCommands, ['smoke', ...args], desk);
  return { said, code };
}

test('smoke email sends like a sign-in code', async () => {
  expect((await type(t, 'email', 'ops@maple.test')).said).toEqual([
    'No mail server is given, so it is in /dev/outbox.',
  ]);
  const [mail] = await t.owner.selectFrom('dev.outbox').selectAll().where('recipient', '=', 'ops@maple.test').execute();
  expect(mail?.body).toContain('can send mail');
  await expect(type(t, 'email', 'nobody')).rejects.toThrow('Give one email address');
});

test('smoke sms sends like a sign-in code and looks the text up', async () => {
  const plain = ({ said }: { said: string[] }) =>
    said.map((line) => line.replace(/ \(\d+ ms\)$/, '').replace(/\s+/g, ' '));
  expect(plain(await type(t, 'sms', '(646) 555-0177'))).toEqual([
    'provider local',
    expect.stringMatching(/^send [0-9a-f-]{36}$/),
    'look up sent',
    'No carrier is given, so it is in /dev/outbox.',
  ]);
  await expect(type(t, 'sms', '12')).rejects.toThrow('Give one US mobile number');

  const twilio = await openTwilio({ now: () => new Date() });
  const live = await openTestApp({ env: { ...twilio.env, LOG_LEVEL: 'silent' } });
  // The list is read by the real clock, and the app of a test stands still in March.
  live.at(new Date());
  expect(plain(await type(live, 'sms', '6465550177'))).toEqual([
    'provider twilio',
    expect.stringMatching(/^send SM[0-9a-f]{32}$/),
    'look up sent',
  ]);
  twilio.trouble('createMessage', { status: 401, code: 20003 });
  await expect(type(live, 'sms', '6465550177')).rejects.toThrow('send: text refused: sender');
  await live.close();
  await twilio.close();
});

test('smoke esign requests, finds, reads, links and cancels a signature request', async () => {
  const { said, code } = await type(t, 'esign', 'ops@maple.test');
  expect(code).toBe(0);
  expect(said.map((line) => line.replace(/ \(\d+ ms\)$/, '').replace(/\s+/g, ' '))).toEqual([
    'provider local',
    expect.stringMatching(/^ask [0-9a-f-]{36}$/),
    'find again found',
    'read open',
    expect.stringMatching(/^link until 2026-03-02T16:00/),
    'take back done',
    'afterwards canceled',
  ]);
});

test('smoke storage writes, finds, reads and removes a file, on disk and in a bucket', async () => {
  const plain = (said: string[]) => said.map((line) => line.replace(/ \(\d+ ms\)$/, '').replace(/\s+/g, ' '));
  expect(plain((await type(t, 'storage')).said)).toContain('read the same');
  const bucket = await openS3Server({ now: () => new Date('2026-03-02T15:00:00.000Z') });
  const live = await openTestApp({ env: bucket.env });
  const { said, code } = await type(live, 'storage');
  expect([code, plain(said)]).toEqual([
    0,
    [
      'provider s3',
      expect.stringMatching(/^put 25 bytes as smoke\/2026\/03\/02\/[0-9a-f-]{36}$/),
      'put again refused, as it should be',
      'read the same',
      'remove done',
      'afterwards gone',
    ],
  ]);
  bucket.trouble('PUT', { status: 403, code: 'AccessDenied' });
  await expect(type(live, 'storage')).rejects.toThrow('put: AccessDenied');
  await live.close();
  await bucket.close();
});

test.skipIf(!specsDir)(
  'smoke esign makes a binding request only with the flag for it, and names what goes wrong',
  async () => {
    const vendor = await openContractServer('dropbox-sign.openapi.json');
    const env = { DROPBOX_SIGN_API_KEY: vendorKey, DROPBOX_SIGN_CLIENT_ID: 'ours', DROPBOX_SIGN_URL: vendor.url };
    const live = await openTestApp({ env });
    await expect(type(live, 'esign', 'ops@maple.test')).rejects.toThrow('DROPBOX_SIGN_TEST_MODE=1');
    expect(vendor.calls).toEqual([]);
    vendor.answer('signatureRequestCreateEmbedded', { status: 401, example: 'Error401Response' });
    await expect(type(live, 'esign', 'ops@maple.test', '--binding')).rejects.toThrow('ask: unauthorized');
    await live.close();
    await vendor.close();
  },
);

test.each([
  [{ DROPBOX_SIGN_API_KEY: 'k' }, 'DROPBOX_SIGN_CLIENT_ID is missing'],
  [
    { DROPBOX_SIGN_API_KEY: 'k', DROPBOX_SIGN_CLIENT_ID: 'c', DROPBOX_SIGN_URL: 'http://sign.test' },
    'must be an https address',
  ],
])('the server refuses to start if a setting is missing or wrong: %j', async (env, reason) => {
  await expect(openTestApp({ env, url: t.url })).rejects.toThrow(reason);
});
