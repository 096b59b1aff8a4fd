import type { Actor, OfficeScope, Services } from '#server/context.ts';
import {
  advanceEpisode,
  inviteOnce,
  lockInvitation,
  planOf,
  raiseCallback,
  setEpisode,
  setSurvey,
  submitSurvey,
  surveysOf,
} from '#server/features/ambulatory/index.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { morningClock } from './morning-clock.ts';
import { demoPhone, markDelivered } from './play-stories.ts';
import { answersTo, summitRecoveries, type Recovery } from './recoveries.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** After the numbers of the morning's patients. */
const firstPhone = 40;
const phones = summitRecoveries.map((_, i) => demoPhone(firstPhone + i));
const patient: Actor = { kind: 'patient', id: null, name: null };
/** Minutes before now: the longest that anything of today was ago. */
const longestToday = 120;
/** The job looks at an episode only after its answers are filed. */
const never = new Date('9999-01-01T00:00:00Z');

interface Office {
  officeId: string;
  npi: string;
  timeZone: string;
  desk: Actor;
}

/**
 * Plays the recoveries of the last days through the real functions with the clock set back. They are played once: from then on the patients
 * grow older, and the job asks them like others. Answers are written as drafts; `fileRecoveries` files them.
 */
export async function playRecoveries(services: Services, office: Office): Promise<void> {
  const scope = officeScope(services, office.officeId, office.desk, 'demo');
  await scope.transaction(async (tx) => {
    const known = await tx
      .selectFrom('episode')
      .select('id')
      .where('officeId', '=', office.officeId)
      .where('phone', 'in', phones)
      .limit(1)
      .execute();
    if (known.length > 0) return;
    for (const [i, recovery] of summitRecoveries.entries())
      await playRecovery(tx, services, office, { recovery, phone: phones[i] ?? '' });
  });
}

async function playRecovery(
  tx: Tx,
  services: Services,
  { officeId, npi, timeZone, desk }: Office,
  { recovery, phone }: { recovery: Recovery; phone: string },
): Promise<void> {
  const now = services.now();
  const ago = morningClock(now, timeZone, longestToday);
  const scopeAt = (at: Date, actor: Actor): OfficeScope => ({
    ...officeScope({ ...services, now: () => at, auditNow: services.now }, officeId, actor, 'demo'),
    transaction: (work) => work(tx),
  });
  const { name, language = 'en', day, callMe, notes } = recovery;
  const heldOn = dayOf(new Date(now.getTime() - (day ?? 0) * dayMs), timeZone);
  const invitedAt = day === null || day === 0 ? ago(longestToday) : instantOf(heldOn, '15:00', timeZone);
  const invitation = { phone, phoneNumber: phone, patientName: name, episodeDate: heldOn, language };
  await inviteOnce(tx, { ...scopeAt(invitedAt, desk), npi }, { ...invitation, quietHours: 'ignore' });
  await markDelivered(tx, officeId, invitedAt);
  const episode = await lockInvitation(tx, officeId, phone);
  if (!episode || day === null) return;

  const consentedAt = new Date(Math.min(invitedAt.getTime() + 20 * minuteMs, now.getTime()));
  await setEpisode(tx, episode, { state: 'active', consentedAt });
  const plan = await planOf(tx, scopeAt(now, desk));
  for (const planned of plan.filter((one) => one.day <= day)) {
    const on = dayOf(new Date(now.getTime() - (day - planned.day) * dayMs), timeZone);
    const at = instantOf(on, '09:00', timeZone);
    if (at > now) continue;
    await setEpisode(tx, episode, { nextAt: at });
    await advanceEpisode(tx, scopeAt(at, { kind: 'timer', id: null, name: null }), episode.id, { mayText: true });
    await markDelivered(tx, officeId, at);
  }
  const surveys = (await surveysOf(tx, officeId, episode.id)).toReversed();
  for (const [nth, survey] of surveys.entries()) {
    const answers = answersTo(recovery, { type: survey.type, nth, isNewest: nth === surveys.length - 1 });
    if (!answers) continue;
    const savedAt = new Date(Math.min(survey.createdAt.getTime() + (25 + 7 * nth) * minuteMs, now.getTime()));
    await setSurvey(tx, officeId, survey.id, { version: 1, answers: JSON.stringify(answers), savedAt });
  }
  if (callMe !== undefined)
    await raiseCallback(tx, scopeAt(ago(callMe), patient), episode, [{ code: 'asked', detail: { en: '', es: '' } }]);
  if (notes !== undefined)
    await setEpisode(tx, episode, { notes, notesVersion: 1, notesAt: ago(longestToday), notesBy: desk.name });
  await setEpisode(tx, episode, { nextAt: never });
}

/** Files the answers, each at its time, which takes a PDF each. Those who wait for a call come first. */
export async function fileRecoveries(services: Services, officeId: string): Promise<void> {
  const scope = officeScope(services, officeId, patient, 'demo');
  const drafts = await scope.transaction((tx) =>
    tx
      .selectFrom('survey as s')
      .innerJoin('episode as e', (join) =>
        join.onRef('e.officeId', '=', 's.officeId').onRef('e.id', '=', 's.episodeId'),
      )
      .select(['s.id', 's.episodeId', 's.version', 's.savedAt'])
      .where('s.officeId', '=', officeId)
      .where('s.submittedAt', 'is', null)
      .where('s.savedAt', 'is not', null)
      .where('e.nextAt', '=', never)
      .orderBy('e.phone')
      .orderBy('s.day')
      .execute(),
  );
  for (const { id, episodeId, version, savedAt } of drafts) {
    const at = savedAt ?? services.now();
    const then = officeScope({ ...services, now: () => at, auditNow: services.now }, officeId, patient, 'demo');
    await submitSurvey({ ...then, episodeId }, id, version);
  }
  await scope.transaction((tx) =>
    tx
      .updateTable('episode')
      .set({ nextAt: services.now() })
      .where('officeId', '=', officeId)
      .where('nextAt', '=', never)
      .execute(),
  );
}
