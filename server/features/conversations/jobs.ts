import { systemActor, type OfficeScope, type Services } from '#server/context.ts';
import { officeIds } from '#server/kit/db/office-directory.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { deletePicture } from './pictures.ts';
import { unusedPictures } from './pictures-sql.ts';

const hour = 3_600_000;
const atOnce = 200;

/** Once an hour, deletes pictures whose message was never written: it was refused, or the process died. */
export function startPictureSweep(services: Services): Job {
  return runJob('picture-sweep', hour, services.log, () => sweepPictures(services));
}

export async function sweepPictures(services: Services): Promise<void> {
  for (const id of await officeIds(services.pool))
    await sweepOffice(officeScope(services, id, systemActor, 'picture-sweep'));
}

async function sweepOffice(scope: OfficeScope): Promise<void> {
  const before = new Date(scope.now().getTime() - hour);
  const unused = await scope.transaction((tx) => unusedPictures(tx, scope.officeId, { before, most: atOnce }));
  for (const picture of unused) await deletePicture(scope, picture);
}
