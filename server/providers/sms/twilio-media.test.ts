import { afterAll, beforeAll, expect, test } from 'vitest';
import { twilioAccount } from '#testing/stand-ins/twilio-account.ts';
import { openTwilio, type TwilioStandIn } from '#testing/stand-ins/twilio.ts';
import { MediaRefused } from './port.ts';
import { fetchTwilioMedia } from './twilio-media.ts';
import { readTwilio, type TwilioSettings } from './twilio-settings.ts';

let twilio: TwilioStandIn;
let settings: TwilioSettings;
beforeAll(async () => {
  twilio = await openTwilio({ now: () => new Date('2026-03-02T15:00:00Z') });
  settings = readTwilio(twilio.env, 'http://localhost:3000') as TwilioSettings;
});
afterAll(() => twilio.close());

const content = Buffer.from('the picture');
const load = (source: string, maxBytes = 1_000) =>
  fetchTwilioMedia(settings, source, { maxBytes, signal: AbortSignal.timeout(5_000) });
const refused = (problem: MediaRefused['problem']) => expect.objectContaining({ name: 'MediaRefused', problem });

test('a file is fetched with our login, and the media host does not get it', async () => {
  expect(await load(twilio.addFile(content))).toEqual(content);
});

test('only files of our own account are fetched, from the API only', async () => {
  const source = twilio.addFile(content);
  const sources = [
    'http://169.254.169.254/latest/meta-data',
    source.replace(twilio.url, 'http://127.0.0.1:1'),
    source.replace(twilioAccount, 'ACffffffffffffffffffffffffffffffff'),
    `${source}/../../../Messages.json`,
    `${twilio.url}/2010-04-01/Accounts/${twilioAccount}/Messages.json`,
    'file:///etc/passwd',
    '',
  ];
  for (const other of sources) await expect(load(other), other).rejects.toEqual(refused('unavailable'));
  expect(await load(`${source}?x=1`)).toEqual(content);
});

test.each(['http://127.0.0.1:1/x', 'https://mms.twiliocdn.com.evil.example/x', 'file:///etc/passwd', 'not an address'])(
  'a redirect to another host is not followed: %s',
  async (target) => {
    await expect(load(twilio.addFile(content, target))).rejects.toEqual(refused('unavailable'));
  },
);

test('a file with too many bytes is refused', async () => {
  await expect(load(twilio.addFile(Buffer.alloc(1_001)))).rejects.toEqual(refused('too-large'));
  expect(await load(twilio.addFile(Buffer.alloc(1_000)))).toHaveLength(1_000);
});

test('a file that is not there yet can be asked for again', async () => {
  const unknown = `${twilio.url}/2010-04-01/Accounts/${twilioAccount}/Messages/MM${'0'.repeat(32)}/Media/ME${'0'.repeat(32)}`;
  const error: unknown = await load(unknown).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(MediaRefused);
});
