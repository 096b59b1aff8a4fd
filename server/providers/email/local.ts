import type { House } from '#server/ctx.ts';
import { EmailRefused, type Email } from './port.ts';

/** The local post office: mail goes into the outbox. `bounce@` is refused for good, `grey@` for now. */
export function localEmail({ db, id, now }: Pick<House, 'db' | 'id' | 'now'>): Email {
  return {
    name: 'local',
    async send({ to, subject, text, reference }) {
      if (/^(bounce|grey)@/i.test(to)) throw new EmailRefused(/^bounce@/i.test(to));
      await db
        .insertInto('dev.outbox')
        .values({ id: id(), channel: 'email', recipient: to, body: `${subject}\n\n${text}`, reference, at: now() })
        .execute();
    },
  };
}
