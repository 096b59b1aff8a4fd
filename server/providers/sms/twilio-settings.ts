import { isLoopback } from '#server/kit/http/loopback.ts';

/** How this installation connects to Twilio (docs/operating.md). */
export interface TwilioSettings {
  accountSid: string;
  /** Signs Twilio's callbacks; also the password of our calls if there is no API key. */
  authToken: string;
  /** The login of our calls. */
  login: { user: string; password: string };
  /** The API for messages and phone numbers. Both URLs are without a trailing slash. */
  apiUrl: string;
  /** The API for Messaging Services. */
  messagingUrl: string;
  /** Where the API redirects to for the files of messages. */
  mediaUrl: string;
}

const others = [
  'SMS_AUTH_TOKEN',
  'SMS_API_KEY_SID',
  'SMS_API_KEY_SECRET',
  'SMS_API_URL',
  'SMS_MESSAGING_URL',
  'SMS_MEDIA_URL',
] as const;

/** Reads the settings from the environment; undefined if none is set. Throws a message an operator can act on. */
export function readTwilio(from: NodeJS.ProcessEnv, publicUrl: string): TwilioSettings | undefined {
  const accountSid = from.SMS_ACCOUNT_SID;
  if (!accountSid) {
    const stray = others.find((name) => from[name]);
    if (stray) throw new Error(`SMS_ACCOUNT_SID is missing: ${stray} needs it. Give the SID of your Twilio account`);
    return undefined;
  }
  if (!/^AC[0-9a-fA-F]{32}$/.test(accountSid))
    throw new Error('SMS_ACCOUNT_SID must be the SID of a Twilio account: AC and 32 hexadecimal digits');
  const authToken = from.SMS_AUTH_TOKEN;
  if (!authToken)
    throw new Error(
      "SMS_AUTH_TOKEN is missing: with SMS_ACCOUNT_SID give the account's auth token, also with an API key",
    );
  const apiUrl = addressOf(from, 'SMS_API_URL', 'https://api.twilio.com');
  const messagingUrl = addressOf(from, 'SMS_MESSAGING_URL', 'https://messaging.twilio.com');
  const mediaUrl = addressOf(from, 'SMS_MEDIA_URL', 'https://mms.twiliocdn.com');
  checkCodeNumber(from.CODE_NUMBER);
  checkPublicUrl(publicUrl, apiUrl);
  return { accountSid, authToken, login: loginOf(from, accountSid, authToken), apiUrl, messagingUrl, mediaUrl };
}

function loginOf(
  { SMS_API_KEY_SID: keySid, SMS_API_KEY_SECRET: keySecret }: NodeJS.ProcessEnv,
  accountSid: string,
  authToken: string,
): TwilioSettings['login'] {
  if (!keySid && !keySecret) return { user: accountSid, password: authToken };
  if (!keySid || !keySecret) throw new Error('SMS_API_KEY_SID and SMS_API_KEY_SECRET go together: give both');
  if (!/^SK[0-9a-fA-F]{32}$/.test(keySid))
    throw new Error('SMS_API_KEY_SID must be the SID of an API key: SK and 32 hexadecimal digits');
  return { user: keySid, password: keySecret };
}

function addressOf(
  from: NodeJS.ProcessEnv,
  name: 'SMS_API_URL' | 'SMS_MESSAGING_URL' | 'SMS_MEDIA_URL',
  usual: string,
): string {
  const url = URL.parse(from[name] || usual);
  const isBare = url?.pathname === '/' && url.search === '' && url.username === '';
  if (!url || !isBare || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))))
    throw new Error(`${name} must be an https address without a path (plain http only on this machine)`);
  return url.origin;
}

/** The default is a number reserved for fiction: Twilio would refuse every sign-in code. */
function checkCodeNumber(codeNumber: string | undefined): void {
  if (!codeNumber || !/^\+1\d{10}$/.test(codeNumber))
    throw new Error(
      'CODE_NUMBER is missing: with SMS_ACCOUNT_SID give the number of your account that sign-in codes come from, like +12125550100',
    );
}

/** Replies and delivery reports arrive at PUBLIC_URL, so Twilio must be able to reach it. */
function checkPublicUrl(publicUrl: string, apiUrl: string): void {
  const { protocol } = new URL(publicUrl);
  if (protocol !== 'https:' && !isLoopback(new URL(apiUrl).hostname))
    throw new Error(
      'PUBLIC_URL must be an https address that Twilio can reach: replies and delivery reports arrive there',
    );
}
