import type { Services } from '#server/context.ts';

/** The outbox is the demo's phone and mailbox: it holds sign-in codes and links, so it is deleted after a day. */
const keptMs = 86_400_000;

/** Deletes older messages, and files of phones; in production too, where an installation without a carrier still writes here. */
export async function purgeOutbox({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - keptMs);
  await db.deleteFrom('dev.outbox').where('at', '<', before).execute();
  await db.deleteFrom('dev.media').where('at', '<', before).execute();
}
