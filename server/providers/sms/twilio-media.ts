import { MediaRefused } from './port.ts';
import { authorizationOf } from './twilio-calls.ts';
import type { TwilioSettings } from './twilio-settings.ts';

/**
 * Fetches a file of an incoming message. The address comes from a callback, so only the path of a file of our own account is taken from it. The
 * API needs our login and redirects to Twilio's media host, which must not get it; any other redirect is refused.
 */
export async function fetchTwilioMedia(
  settings: TwilioSettings,
  source: string,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Buffer> {
  const path = mediaPath(settings, source);
  if (path === null) throw new MediaRefused('unavailable');
  const response = await fetch(`${settings.apiUrl}${path}`, {
    headers: { authorization: authorizationOf(settings) },
    redirect: 'manual',
    signal,
  });
  if (response.status < 300 || response.status >= 400) return readBody(response, maxBytes);
  await response.body?.cancel();
  const target = URL.parse(response.headers.get('location') ?? '');
  if (target?.origin !== settings.mediaUrl) throw new MediaRefused('unavailable');
  return readBody(await fetch(target, { redirect: 'error', signal }), maxBytes);
}

/** The path of a file of our account's messages; null for any other address. */
function mediaPath({ apiUrl, accountSid }: TwilioSettings, source: string): string | null {
  const url = URL.parse(source);
  const isOurs = new RegExp(
    `^/2010-04-01/Accounts/${accountSid}/Messages/(SM|MM)[0-9a-fA-F]{32}/Media/ME[0-9a-fA-F]{32}$`,
  );
  return url?.origin === apiUrl && isOurs.test(url.pathname) ? url.pathname : null;
}

async function readBody(answer: Response, maxBytes: number): Promise<Buffer> {
  if (!answer.ok || !answer.body) {
    await answer.body?.cancel();
    throw new Error(`Twilio answered ${answer.status} for a file`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body) {
    bytes += part.length;
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new MediaRefused('too-large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
