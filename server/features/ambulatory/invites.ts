import { episodeDateRange, type AmbuInvite, type NewAmbuInvite } from '#contract/ambulatory/shapes.ts';
import { isDay } from '#contract/day.ts';
import type { QuietChoice } from '#contract/queue.ts';
import type { Language } from '#contract/shapes.ts';
import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import { patientWordsStatement } from '#server/features/directory/index.ts';
import { savePatient } from '#server/features/queue/index.ts';
import { answerWaitsUntil, refuseBlockedNumber } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether, sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { isOwnOfficeName } from '#server/own-office-name.ts';
import { usPhone } from '#server/kit/phone.ts';
import { officeRow } from '#server/office-row.ts';
import {
  endLinks,
  hasLinkSince,
  insertEpisode,
  lockEpisodesOfPhone,
  lockInvitation,
  setEpisode,
  type EpisodeRow,
} from './episode-sql.ts';
import { cancelEpisodeTexts, endEpisode, textEpisode } from './episode-texts.ts';
import { daysBetween, nextSurvey } from './survey-times.ts';
import { inviteRows, languageOfPhone, toInvite, type ListSetting } from './list-sql.ts';
import { clockOf, isSameName, surveyStateOf } from './patients.ts';
import { planOf } from './plan.ts';
import { surveysOf } from './survey-sql.ts';

interface NewInvite {
  phoneNumber: string;
  patientName: string;
  npi?: string | undefined;
  episodeDate?: string | undefined;
  language?: Language | undefined;
  quietHours?: QuietChoice | undefined;
}

/** A second press, or a repeated call, texts nothing. */
const repeatMs = 60_000;

/**
 * Invites a patient by text. Inviting a number again corrects the invitation and texts another link. Of two invitations of a number at once,
 * the second finds the first one's.
 */
export async function invitePatient(ctx: OfficeCtx, invite: NewInvite): Promise<NewAmbuInvite> {
  const phone = usPhone(invite.phoneNumber);
  if (!phone) throw new Refusal('invalid_phone');
  const today = dayOf(ctx.now(), ctx.timeZone);
  const { episodeDate = today } = invite;
  if (!isDay(episodeDate)) throw new Refusal('invalid_episode_date');
  const ahead = daysBetween(today, episodeDate);
  if (ahead > episodeDateRange.futureDays || -ahead > episodeDateRange.pastDays)
    throw new Refusal('invalid_episode_date');
  return ctx.transaction(async (tx) => {
    const isOurs = invite.npi === undefined || (await isOwnOfficeName(tx, ctx, invite.npi));
    if (!isOurs) throw new Refusal('office_not_found');
    return inviteOnce(tx, ctx, { ...invite, phone });
  });
}

/** The same inside a transaction, for a number and a day that were checked. */
export async function inviteOnce(
  tx: Tx,
  ctx: OfficeScope & Pick<OfficeCtx, 'npi'>,
  invite: NewInvite & { phone: string },
): Promise<NewAmbuInvite> {
  const { officeId } = ctx;
  const { phone, quietHours } = invite;
  const name = invite.patientName.trim();
  await refuseBlockedNumber(tx, officeId, phone);
  const plan = await planOf(tx, ctx);
  const office = await officeRow(tx, officeId);
  const known = await lockEpisodesOfPhone(tx, officeId, phone);
  const earlier = known.filter((episode) => episode.state !== 'pending' && isSameName(episode.name, name));
  for (const episode of earlier) {
    if (await hasSurveysLeft(tx, episode, { plan, clock: clockOf(office), now: ctx.now() }))
      throw new Refusal('already_followed', { id: episode.id });
  }

  const open = known.find(({ state }) => state === 'pending');
  // Without a day, the one that was entered first stays.
  const heldOn = invite.episodeDate ?? open?.heldOn ?? dayOf(ctx.now(), office.timeZone);
  // A family's phone: the first person would never be followed, and their link would show the second one's name.
  if (open && !isSameName(open.name, name)) throw new Refusal('already_invited', { id: open.id });
  const language = invite.language ?? open?.language ?? (await languageOfPhone(tx, officeId, phone)) ?? 'en';
  const episode = open
    ? await correctInvitation(tx, open, { name, heldOn, language })
    : await addInvitation(tx, ctx, { name, phone, heldOn, language });
  // Another desk was faster: its invitation is the open one.
  if (!episode) return inviteOnce(tx, ctx, invite);
  for (const one of earlier) await closeEarlier(tx, ctx, one);
  const isRepeated = open !== undefined && (await hasLinkSince(tx, open, new Date(ctx.now().getTime() - repeatMs)));
  if (!isRepeated) {
    // The text before it may still wait for the morning.
    if (open) await cancelEpisodeTexts(tx, open);
    const sendAt = await answerWaitsUntil(tx, ctx, phone, quietHours);
    await textEpisode(tx, ctx, episode, { sentence: 'invite', sendAt });
  }
  await writeAuditEntry(tx, ctx, { action: 'episode.invite', subject: episode.id, details: { repeated: isRepeated } });
  await sendHint(tx, { office: officeId, type: 'ambu' });
  const row = await inviteRows(tx, officeId).where('e.id', '=', episode.id).executeTakeFirstOrThrow();
  return { ...toInvite(row, ctx), repeated: isRepeated };
}

/** Surveys go on: one can be answered, or the plan has another. */
async function hasSurveysLeft(tx: Tx, episode: EpisodeRow, { plan, clock, now }: ListSetting): Promise<boolean> {
  if (episode.state !== 'active') return false;
  const surveys = await surveysOf(tx, episode.officeId, episode.id);
  const isOpen = surveys.some((survey) => surveyStateOf(survey, now) === 'open');
  return isOpen || nextSurvey(clock, episode, { plan, surveys, now }) !== null;
}

/** The patient's surveys after an earlier surgery: nobody takes them up again by an old link, beside the new ones. */
async function closeEarlier(tx: Tx, scope: OfficeScope, episode: EpisodeRow): Promise<void> {
  if (episode.state === 'active') {
    await endEpisode(tx, episode, 'office');
    await writeAuditEntry(tx, scope, { action: 'episode.follow-up', subject: episode.id, details: { active: false } });
  }
  await endLinks(tx, episode, scope.now());
}

type InvitedEpisode = Pick<EpisodeRow, 'officeId' | 'id' | 'patientId' | 'phone' | 'language'>;

async function correctInvitation(
  tx: Tx,
  open: EpisodeRow,
  corrected: Pick<EpisodeRow, 'name' | 'heldOn' | 'language'>,
): Promise<InvitedEpisode> {
  await setEpisode(tx, open, corrected);
  return { ...open, ...corrected };
}

async function addInvitation(
  tx: Tx,
  ctx: OfficeScope,
  { name, phone, heldOn, language }: Pick<EpisodeRow, 'name' | 'phone' | 'heldOn' | 'language'>,
): Promise<InvitedEpisode | undefined> {
  const { officeId } = ctx;
  const person = { ...splitName(name), birthDate: null };
  const patientId = await savePatient(tx, ctx, { ...person, phone, language }, { rename: false });
  const words = patientWordsStatement(tx, ctx, patientId, { people: [person], phone });
  await runTogether(tx, { statements: [words], hints: [] });
  const episode = { officeId, id: ctx.id(), patientId, phone, language };
  const isAdded = await insertEpisode(tx, { ...episode, name, heldOn, state: 'pending', invitedAt: ctx.now() });
  return isAdded ? episode : undefined;
}

/** The last word is the last name. */
function splitName(name: string): { firstName: string; lastName: string } {
  const [, firstName, lastName] = /^(.*\S)\s+(\S+)$/s.exec(name) ?? [null, name, ''];
  return { firstName, lastName };
}

/** The invitations that are open, newest first. An empty list discloses nobody, so it gets no audit entry. */
export async function listInvites(ctx: OfficeCtx): Promise<AmbuInvite[]> {
  return ctx.transaction(async (tx) => {
    const rows = await inviteRows(tx, ctx.officeId).execute();
    if (rows.length > 0) await writeAuditEntry(tx, ctx, { action: 'episode.list', subject: 'invites' });
    return rows.map((row) => toInvite(row, ctx));
  });
}

/** Withdraws a number's invitation: its links end, and its text is not sent if it still waits. */
export async function withdrawInvite(ctx: OfficeCtx, phoneNumber: string): Promise<{ withdrawn: boolean }> {
  const phone = usPhone(phoneNumber);
  if (!phone) throw new Refusal('invite_not_found');
  return ctx.transaction(async (tx) => {
    const open = await lockInvitation(tx, ctx.officeId, phone);
    if (!open) throw new Refusal('invite_not_found');
    await endEpisode(tx, open, 'withdrawal');
    await endLinks(tx, open, ctx.now());
    await writeAuditEntry(tx, ctx, { action: 'episode.withdraw', subject: open.id });
    await sendHint(tx, { office: ctx.officeId, type: 'ambu' });
    return { withdrawn: true };
  });
}
