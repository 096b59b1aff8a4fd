import type { Services } from '#server/context.ts';
import { localPush } from './local.ts';
import type { Push } from './port.ts';
import { webPush } from './web-push.ts';

/** Web push if the environment names a contact for push services (VAPID_SUBJECT), otherwise the stand-in. */
export function openPush(given: Pick<Services, 'env' | 'db' | 'id' | 'now'>): Push {
  return given.env.vapid ? webPush(given.env.vapid, given.env.pushServices) : localPush(given);
}
