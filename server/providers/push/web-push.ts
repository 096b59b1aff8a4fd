import { Agent, request } from 'node:https';
import { hasValidKeys } from './keys.ts';
import { publicLookup } from './public-hosts.ts';
import { isPushService } from './push-services.ts';
import { openSlowServices } from './slow-services.ts';
import { PushRefused, type Push, type PushMessage, type PushTarget } from './port.ts';

/**
 * VAPID (RFC 8292): identifies us to push services. Keys are base64url; `subject` is our contact for their operators, mailto: or https:.
 */
export interface Vapid {
  subject: string;
  publicKey: string;
  privateKey: string;
}

interface Ways {
  agent: Agent;
  mayReach: (endpoint: string) => boolean;
}

const publicWays = (moreServices: readonly string[]): Ways => ({
  agent: new Agent({ lookup: publicLookup }),
  mayReach: (endpoint) => isPushService(endpoint, moreServices),
});

/**
 * Encrypts with the web-push package but sends by itself: only to push services at public addresses, without redirects or long answers.
 * `ways` is for tests.
 */
export function webPush(vapid: Vapid, moreServices: readonly string[] = [], ways = publicWays(moreServices)): Push {
  const slowServices = openSlowServices();
  const post = async (target: PushTarget, note: PushMessage, payload: string | null, signal: AbortSignal) => {
    const { default: webpush } = await import('web-push');
    const keys = { p256dh: target.p256dh, auth: target.auth };
    const { endpoint, method, headers, body } = webpush.generateRequestDetails(
      { endpoint: target.endpoint, keys },
      payload ?? undefined,
      {
        vapidDetails: vapid,
        TTL: note.ttlSeconds,
        urgency: 'high',
        topic: note.topic,
        contentEncoding: 'aes128gcm',
      },
    );
    return new Promise<{ status: number; retryAfter: string | undefined }>((done, fail) => {
      const clientRequest = request(new URL(endpoint), { method, headers, agent: ways.agent, signal }, (answer) => {
        answer.destroy(); // its content does not matter
        done({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] });
      });
      clientRequest.on('error', fail);
      clientRequest.end(body ?? undefined);
    });
  };
  return {
    name: 'web-push',
    publicKey: vapid.publicKey,
    accepts: (target) => ways.mayReach(target.endpoint) && hasValidKeys(target),
    async send(target, note) {
      if (!ways.mayReach(target.endpoint)) throw new PushRefused('refused');
      const say = (payload: string | null) =>
        slowServices.send(target.endpoint, (signal) => post(target, note, payload, signal));
      const { title, body, path } = note;
      let { status, retryAfter } = await say(JSON.stringify({ title, body, path }));
      // 413: retry without a payload; the service worker then shows a generic message.
      if (status === 413) ({ status, retryAfter } = await say(null));
      if (status >= 200 && status < 300) return;
      if (status === 404 || status === 410) throw new PushRefused('gone');
      if (status === 429) throw new PushRefused('slow-down', secondsOf(retryAfter));
      if (status >= 500) throw new PushRefused('away', secondsOf(retryAfter));
      throw new PushRefused('refused');
    },
  };
}

/** Parses Retry-After: seconds or a date. */
function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}
