import { systemActor, type Services } from '#server/context.ts';
import { officeIds } from '#server/kit/db/office-directory.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { clearCodes, deleteEmptyChats } from './sql.ts';

const hour = 3_600_000;

/** Once a day, deletes chats that were agreed to and never written in, and codes that nobody can use any more. */
export function startChatSweep(services: Services): Job {
  return runJob('chat-sweep', 24 * hour, services.log, () => sweepChats(services));
}

export async function sweepChats(services: Services): Promise<void> {
  for (const officeId of await officeIds(services.pool)) {
    const scope = officeScope(services, officeId, systemActor, 'chat-sweep');
    const now = scope.now();
    await scope.transaction(async (tx) => {
      await clearCodes(tx, officeId, new Date(now.getTime() - hour));
      await deleteEmptyChats(tx, officeId, now);
    });
  }
}
