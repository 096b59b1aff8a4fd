import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';

/** The statement that has a job fetch the picture of a message. Runs after the message's. */
export const incomingPictureStatement = (tx: Tx, { officeId, now }: OfficeScope, id: string, source: string) =>
  tx.insertInto('incomingPicture').values({ officeId, id, source, dueAt: now() });
