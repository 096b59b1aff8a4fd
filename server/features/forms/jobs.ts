import { visitLinkDays } from '#contract/patient/visit.ts';
import { systemActor, type Services, type OfficeScope } from '#server/context.ts';
import { deleteExpiredLinks } from '#server/features/files/index.ts';
import { officeIds } from '#server/kit/db/office-directory.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { unusedFiles } from './file-sql.ts';
import { deleteFormFile } from './files.ts';
import { deleteDrafts } from './sql.ts';

const hour = 3_600_000;
/** A draft is saved on its visit's day at the earliest, so its link has ended `visitLinkDays + 1` days later; one more day to be safe. */
const draftMs = (visitLinkDays + 2) * 24 * hour;
/** A PDF is used within seconds, unless the process died. */
const pdfMs = hour;
const atOnce = 200;

/** Once an hour, deletes drafts that nobody can open any more, and unreferenced files. */
export function startFormSweep(services: Services): Job {
  return runJob('form-sweep', hour, services.log, () => sweepForms(services));
}

export async function sweepForms(services: Services): Promise<void> {
  for (const id of await officeIds(services.pool))
    await sweepOffice(officeScope(services, id, systemActor, 'form-sweep'));
}

async function sweepOffice(scope: OfficeScope): Promise<void> {
  const { officeId } = scope;
  const now = scope.now().getTime();
  const unused = await scope.transaction(async (tx) => {
    const filesBefore = new Date(now - draftMs);
    await deleteDrafts(tx, officeId, filesBefore);
    return unusedFiles(tx, officeId, { pdfsBefore: new Date(now - pdfMs), filesBefore, most: atOnce });
  });
  for (const file of unused) await deleteFormFile(scope, file);
  await deleteExpiredLinks(scope);
}
