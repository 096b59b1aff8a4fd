import type { Services } from '#server/context.ts';
import { hasValidKeys } from './keys.ts';
import { PushRefused, type Push } from './port.ts';

/** The local push provider, shown in the outbox. An endpoint containing `gone`, `busy` or `broken` fails that way, for trying it out. */
export function localPush({ db, id, now }: Pick<Services, 'db' | 'id' | 'now'>): Push {
  return {
    name: 'local',
    publicKey: '',
    accepts: (target) => URL.parse(target.endpoint)?.protocol === 'https:' && hasValidKeys(target),
    async send({ endpoint }, { title, body }) {
      const { pathname } = new URL(endpoint);
      if (/\bgone\b/.test(pathname)) throw new PushRefused('gone');
      if (/\bbusy\b/.test(pathname)) throw new PushRefused('slow-down', 30);
      if (/\bbroken\b/.test(pathname)) throw new PushRefused('away');
      await db
        .insertInto('dev.outbox')
        .values({ id: id(), channel: 'push', recipient: endpoint, body: `${title}\n${body}`, state: 'sent', at: now() })
        .execute();
    },
  };
}
