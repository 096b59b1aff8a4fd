import { episodeLinkDays } from '#contract/ambulatory/episode.ts';
import { satisfactionDays } from '#contract/ambulatory/surveys.ts';
import { systemActor, type OfficeScope, type Services } from '#server/context.ts';
import { officeIds } from '#server/kit/db/office-directory.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { deleteEndedLinks } from './episode-sql.ts';
import { deleteEpisodeFile } from './files.ts';
import { unusedFiles } from './file-sql.ts';
import { askDueSurveys } from './survey-job.ts';

const hour = 3_600_000;
/** A picture can belong to a draft as long as its survey is open; one more day to be safe. */
const pictureMs = (satisfactionDays + 1) * 24 * hour;
/** A PDF is used within seconds, unless the process died. */
const pdfMs = hour;
const atOnce = 200;

/** Asks the surveys of the day and reminds of them, and removes leftover files and ended links. */
export function startAmbulatory(services: Services): Job[] {
  return [
    runJob('surveys', 5_000, services.log, () => askDueSurveys(services)),
    runJob('episode-sweep', hour, services.log, () => sweepEpisodes(services)),
  ];
}

export async function sweepEpisodes(services: Services): Promise<void> {
  for (const id of await officeIds(services.pool))
    await sweepOffice(officeScope(services, id, systemActor, 'episode-sweep'));
}

async function sweepOffice(scope: OfficeScope): Promise<void> {
  const now = scope.now().getTime();
  await scope.transaction((tx) => deleteEndedLinks(tx, scope.officeId, new Date(now - episodeLinkDays * 24 * hour)));
  while (await deleteUnusedFiles(scope));
}

/** True if more are left. Files that could not be deleted wait for the next hour. */
async function deleteUnusedFiles(scope: OfficeScope): Promise<boolean> {
  const now = scope.now().getTime();
  const before = { pdfsBefore: new Date(now - pdfMs), filesBefore: new Date(now - pictureMs) };
  const unused = await scope.transaction((tx) => unusedFiles(tx, scope.officeId, { ...before, most: atOnce }));
  let deleted = 0;
  for (const file of unused) if (await deleteEpisodeFile(scope, file)) deleted++;
  return deleted === atOnce;
}
