import { createHash, createHmac } from 'node:crypto';
import { sameBytes } from '#server/kit/crypto/secret.ts';

/** The signature header of Twilio's callbacks. */
export const twilioSignatureHeader = 'x-twilio-signature';

/**
 * Twilio's signature: HMAC-SHA1 over the called URL, followed by the form's fields sorted by name. A body that is not a form is covered by
 * its SHA-256 in the URL (`bodySHA256`). There is no time in it, so a replay stays valid: handlers must be idempotent.
 */
export function signTwilio(authToken: string, url: string, form: URLSearchParams): string {
  const fields = [...new Set(form.keys())].sort().map((name) => {
    const values = [...new Set(form.getAll(name))].sort();
    return values.map((value) => name + value).join('');
  });
  return createHmac('sha1', authToken)
    .update(url + fields.join(''))
    .digest('base64');
}

/** Whether Twilio signed a call to this URL. `url` is built from PUBLIC_URL, because the caller controls the Host header. */
export function isSignedByTwilio(
  authToken: string,
  signature: unknown,
  { url, form, rawBody }: { url: string; form: URLSearchParams | null; rawBody: Buffer },
): boolean {
  if (typeof signature !== 'string') return false;
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
