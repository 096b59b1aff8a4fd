import { mayMove, type QueueEntry } from '#contract/queue.ts';

/** Staff may invite only waiting patients, and only where auto-invite does not do it. */
export function mayInvite(visit: QueueEntry): boolean {
  return mayMove(visit, 'invite') && visit.autoInviteAt === null;
}
