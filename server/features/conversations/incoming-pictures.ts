import { pictureMaxBytes } from '#contract/conversations/messages.ts';
import type { PictureProblem } from '#contract/queue.ts';
import { systemActor, type OfficeScope, type Services } from '#server/context.ts';
import { isDatabaseAway } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { MediaRefused } from '#server/providers/sms/port.ts';
import {
  claimPictures,
  leavePictureForLater,
  officesWithDuePictures,
  postponePicture,
  resolvePicture,
  type ClaimedPicture,
} from './incoming-pictures-sql.ts';
import { deletePicture, incomingPictureWaits, limitIncomingPictures, storePicture } from './pictures.ts';
import { pictureUsedStatement } from './pictures-sql.ts';

/** Pictures that a process fetches at the same time: 10 MB each at most. */
const atOnce = 3;
const fetchWithinMs = 20_000;
/** A claimed picture of a process that died is fetched by another one after this time. */
const leaseMs = 90_000;
/** After 10, 20, 40 … seconds, at most 10 minutes, and about an hour altogether. */
const mostTries = 12;
const retryAfterMs = (tries: number) => Math.min(600_000, 10_000 * 2 ** (tries - 1));

/** How long a picture waits for the limits of its practice. */
const waitsAtMostMs = 86_400_000;

/** Fetches the pictures that patients sent by text. An incoming text wakes it; else it runs every 5 seconds. */
export function startIncomingPictures(services: Services): Job {
  const job = runJob('incoming-pictures', 5_000, services.log, () => fetchDuePictures(services));
  services.live.onHint(({ type }) => {
    if (type === 'picture' || type === 'refetch') job.wake();
  });
  return job;
}

/** One round of that; true if more may be due. */
export async function fetchDuePictures(services: Services): Promise<boolean> {
  const offices = await officesWithDuePictures(services.pool, services.now(), 20);
  let isMoreDue = false;
  for (const officeId of offices) {
    // Each picture has a scope of its own, because a scope runs one transaction at a time.
    const newScope = () => officeScope(services, officeId, systemActor, 'incoming-pictures');
    const now = services.now();
    const dueAgainAt = new Date(now.getTime() + leaseMs);
    const claimed = await newScope().transaction((tx) =>
      claimPictures(tx, officeId, { now, dueAgainAt, most: atOnce }),
    );
    await Promise.all(claimed.map((picture) => fetchClaimedPicture(newScope(), picture)));
    if (claimed.length === atOnce) isMoreDue = true;
  }
  return isMoreDue;
}

/** Fetches, re-encodes and stores one picture; its message shows it, or says why it cannot. */
async function fetchClaimedPicture(scope: OfficeScope, picture: ClaimedPicture): Promise<void> {
  try {
    if (picture.tries === 1 && (await waitsForPractice(scope, picture))) return;
    const stored = await fetchAndStore(scope, picture);
    if (!(await resolve(scope, picture.id, { fileId: stored.id }))) await deletePicture(scope, stored);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const problem = problemOf(error) ?? (picture.tries >= mostTries ? 'unavailable' : null);
    if (problem) return void (await resolve(scope, picture.id, { pictureProblem: problem }));
    scope.log.warn({ message: picture.id, err: error }, 'a picture could not be fetched from the carrier yet');
    const dueAt = new Date(scope.now().getTime() + retryAfterMs(picture.tries));
    await scope.transaction((tx) => postponePicture(tx, scope.officeId, picture.id, dueAt));
  }
}

/**
 * Counts a picture that is tried for the first time. True if its practice gets too many now: it waits then, because others sent them. Throws
 * too_many_pictures if its own sender did, or if it has waited too long.
 */
async function waitsForPractice(
  scope: OfficeScope,
  { id, conversationId, counted, sentAt }: ClaimedPicture,
): Promise<boolean> {
  if (!counted) await limitIncomingPictures(scope, conversationId);
  const seconds = await incomingPictureWaits(scope);
  if (seconds === null) return false;
  const now = scope.now().getTime();
  if (now - sentAt.getTime() >= waitsAtMostMs) throw new Refusal('too_many_pictures');
  await scope.transaction((tx) => leavePictureForLater(tx, scope.officeId, id, new Date(now + seconds * 1000)));
  return true;
}

async function fetchAndStore(scope: OfficeScope, { source, conversationId }: ClaimedPicture) {
  const signal = AbortSignal.timeout(fetchWithinMs);
  const content = await scope.providers.sms.fetchMedia(source, { maxBytes: pictureMaxBytes, signal });
  const { readPicture } = await import('#server/kit/picture.ts');
  const types = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
  // Each practice has its own turn at the decoders, as each network of an upload has.
  const picture = await readPicture(content, 'photo', `texts to ${scope.officeId}`, types);
  return storePicture(scope, conversationId, picture);
}

/** Why a picture can never be shown; null if it may be fetched again. */
function problemOf(error: unknown): PictureProblem | null {
  if (error instanceof MediaRefused) return error.problem;
  if (!(error instanceof Refusal)) return null;
  if (error.code === 'photo_too_large') return 'too-large';
  if (error.code === 'photo_unreadable' || error.code === 'photo_heic') return 'unreadable';
  return error.code === 'too_many_pictures' ? 'too-many' : null;
}

/** Commits the outcome and tells the screens; false if another process was faster. */
async function resolve(
  scope: OfficeScope,
  id: string,
  outcome: { fileId: string } | { pictureProblem: PictureProblem },
): Promise<boolean> {
  const { officeId } = scope;
  return scope.transaction(async (tx) => {
    const message = await resolvePicture(tx, officeId, id, outcome);
    if (!message) return false;
    if ('fileId' in outcome) await pictureUsedStatement(tx, officeId, outcome.fileId, scope.now()).execute();
    const { visitId } = message;
    await sendHint(tx, {
      office: officeId,
      ...(visitId && { visit: visitId }),
      type: visitId ? 'message' : 'messages',
    });
    return true;
  });
}
