import { createHash, createHmac } from 'node:crypto';
import { sameBytes } from '#server/kit/crypto/secret.ts';

/** The signature header of Twilio's callbacks. */
export const twilioSignatureHeader = 'x-twilio-signature';

/** SHA-1 in Base64. */
const signatureFormat = /^[A-Za-z0-9+/]{27}=$/;
/** Twilio sends about 30 fields, and two more for each of at most ten files. */
const mostFields = 200;

/**
 * Twilio's signature: HMAC-SHA1 over the called URL, followed by the form's fields sorted by name. A body that is not a form is covered by
 * its SHA-256 in the URL (`bodySHA256`). There is no time in it, so a replay stays valid: handlers must be idempotent.
 */
export function signTwilio(authToken: string, url: string, form: URLSearchParams): string {
  const hmac = createHmac('sha1', authToken).update(url);
  for (const [name, values] of [...valuesByName(form)].sort(([a], [b]) => (a < b ? -1 : 1)))
    hmac.update(
      [...values]
        .sort()
        .map((value) => name + value)
        .join(''),
    );
  return hmac.digest('base64');
}

/** The different values of each field, in one pass: a search for each name would take seconds for a body of 64 kB. */
function valuesByName(form: URLSearchParams): Map<string, Set<string>> {
  const fields = new Map<string, Set<string>>();
  for (const [name, value] of form) {
    const values = fields.get(name);
    if (values) values.add(value);
    else fields.set(name, new Set([value]));
  }
  return fields;
}

/** Whether Twilio signed a call to this URL. `url` is built from PUBLIC_URL, because the caller controls the Host header. */
export function isSignedByTwilio(
  authToken: string,
  signature: unknown,
  { url, form, rawBody }: { url: string; form: URLSearchParams | null; rawBody: Buffer },
): boolean {
  // Checked before anything is hashed: anybody may call.
  if (typeof signature !== 'string' || !signatureFormat.test(signature) || (form?.size ?? 0) > mostFields) return false;
  if (form === null) {
    const hash = URL.parse(url)?.searchParams.get('bodySHA256')?.toLowerCase() ?? '';
    if (!sameBytes(Buffer.from(hash), Buffer.from(createHash('sha256').update(rawBody).digest('hex')))) return false;
  }
  const signed = form ?? new URLSearchParams();
  // Compares all of them, so that the time does not reveal which one matches.
  return spellingsOf(url)
    .map((spelling) => sameBytes(Buffer.from(signature), Buffer.from(signTwilio(authToken, spelling, signed))))
    .includes(true);
}

/** Twilio signs some URLs with the port and some without, so both spellings are tried. */
function spellingsOf(url: string): string[] {
  const [, scheme = '', host = '', port = '', rest = ''] =
    /^(https?:\/\/)(\[[^\]]*\]|[^/?#:]*)(:\d+)?(.*)$/is.exec(url) ?? [];
  const usualPort = scheme.toLowerCase() === 'https://' ? ':443' : ':80';
  return [`${scheme}${host}${rest}`, `${scheme}${host}${port || usualPort}${rest}`];
}
