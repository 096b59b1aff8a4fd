import type { Services } from '#server/context.ts';
import { hasKeys } from './keys.ts';
import { PushRefused, type Push } from './port.ts';

/** Pushes of the local stand-in, shown in the outbox. An endpoint that says `gone`, `busy` or `broken` answers so, to see what then happens. */
export function localPush({ db, id, now }: Pick<Services, 'db' | 'id' | 'now'>): Push {
  return {
    name: 'local',
    publicKey: '',
    accepts: (target) => URL.parse(target.endpoint)?.protocol === 'https:' && hasKeys(target),
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
