import type { Actor, OfficeScope, Services } from '#server/context.ts';
import {
  arrive,
  lockVisit,
  makeMove,
  markStillWaiting,
  messageStatements,
  type VisitRow,
} from '#server/features/queue/index.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { morningClock } from './morning-clock.ts';
import { toPerson, type VisitStory } from './morning.ts';

/**
 * Plays the stories through the real functions with the clock set back, so that events, texts and the audit log are as they would have
 * been.
 */
export async function runStories(
  services: Services,
  officeId: string,
  timeZone: string,
  stories: VisitStory[],
  { phoneFrom, desk }: { phoneFrom: number; desk: Actor },
): Promise<void> {
  const ago = morningClock(services.now(), timeZone, Math.max(...stories.map((story) => story.minutesAgo)));

  for (const [i, story] of stories.entries()) {
    const phone = demoPhone(phoneFrom + i);
    const at = (minutesAfter: number) => ago(story.minutesAgo - minutesAfter);
    const scopeAt = (minutesAfter: number, staff: boolean): OfficeScope =>
      officeScope(
        { ...services, now: () => at(minutesAfter), auditNow: services.now },
        officeId,
        staff ? desk : { kind: 'patient', id: null, name: null },
        'demo',
      );
    const patient = scopeAt(0, false);
    const { visitId } = await patient.transaction((tx) =>
      arrive(tx, patient, {
        ...toPerson(story.who),
        phone,
        language: story.language ?? 'en',
        household: (story.household ?? []).map(toPerson),
      }),
    );
    for (const step of story.then ?? []) {
      const byPatient =
        step.move === 'onMyWay' || step.move === 'imIn' || step.move === 'cancel' || step.move === 'stillWaiting';
      const scope = scopeAt(step.after, !byPatient);
      await scope.transaction(async (tx) => {
        const visit = (await lockVisit(tx, officeId, visitId)) as VisitRow;
        if (step.move === 'stillWaiting') await markStillWaiting(tx, scope, visit);
        else if (step.move === 'message')
          await runTogether(
            tx,
            await messageStatements(tx, scope, visit, { kind: 'message', body: step.note ?? '', title: null }),
          );
        else
          await makeMove(
            tx,
            scope,
            visit,
            step.move,
            step.note === 'seen' || step.note === 'no-show' ? { reason: step.note } : {},
          );
        await markDelivered(tx, officeId, at(step.after));
      });
    }
    await asOffice(services.db, officeId, (tx) =>
      tx
        .updateTable('visit')
        .set({ phoneSeenAt: at(0) })
        .where('officeId', '=', officeId)
        .where('id', '=', visitId)
        .execute(),
    );
  }
}

const areas = ['646', '718', '917', '347', '929', '332', '516', '914'];

/** The nth number reserved for fiction (555-01xx) in nearby area codes. */
export function demoPhone(n: number): string {
  return `+1${areas[Math.floor(n / 100) % areas.length]}55501${String(n % 100).padStart(2, '0')}`;
}

/** The morning's texts were delivered this morning, so none is sent now. */
export async function markDelivered(tx: Tx, officeId: string, at: Date): Promise<void> {
  await tx
    .updateTable('text')
    .set({
      state: 'delivered',
      sealedLink: null,
      claimedAt: at,
      sentAt: at,
      deliveredAt: new Date(at.getTime() + 2_000),
    })
    .where('officeId', '=', officeId)
    .where('state', '=', 'queued')
    .where('sendAt', '<=', at)
    .execute();
}
