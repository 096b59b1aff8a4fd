import { isDeepStrictEqual } from 'node:util';
import {
  queueSettingsDefault,
  type AutoInviteFrom,
  type OverduePatients,
  type QueueSettings,
  type QueueSettingsChange,
} from '#contract/practice/office.ts';
import type { OfficeScope } from '#server/context.ts';
import { todayOf } from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { bumpQueue } from '#server/queue-version.ts';
import { countOverdue, lockQueueSettings, readOfficeUncached, setAutoInviteTimes, setQueueSettings } from './sql.ts';

export async function queueSettings(ctx: OfficeScope): Promise<QueueSettings> {
  return ctx.transaction(async (tx) => complete((await readOfficeUncached(tx, ctx.officeId)).queueSettings));
}

/**
 * Changes the queue settings. Waiting patients are invited by the new rule, unless it starts with new arrivals; nobody is texted at once
 * without that choice. Open panels and phones see the change at once.
 */
export async function saveQueueSettings(
  ctx: OfficeScope,
  { autoInviteFrom, ...given }: QueueSettingsChange,
): Promise<QueueSettings> {
  return ctx.transaction(async (tx) => {
    const before = complete(await lockQueueSettings(tx, ctx.officeId));
    const today = await todayOf(tx, ctx);
    const wanted = { ...given, ...closedDaysFrom(given.closedDays ?? before.closedDays, today) };
    const changed = keysOf(wanted).filter((key) => !isDeepStrictEqual(wanted[key], before[key]));
    if (changed.length === 0) return before;

    await setQueueSettings(tx, ctx.officeId, wanted);
    const otherRule = changed.includes('autoInviteEnabled') || changed.includes('autoInviteWaitTime');
    const visits = otherRule ? await applyAutoInvite(tx, ctx, today, wanted, autoInviteFrom) : [];
    await bumpQueue(tx, ctx.officeId, today, 'all');
    await writeAuditEntry(tx, ctx, {
      action: 'settings.change',
      subject: 'queue',
      details: { changed: changed.join(' '), visits: visits.length },
    });
    await sendHint(tx, { office: ctx.officeId, type: 'settings' });
    if (visits.length > 0) await sendHint(tx, { office: ctx.officeId, type: 'checkin' });
    for (const visit of visits) await sendHint(tx, { visit, type: 'checkin' });
    return wanted;
  });
}

/** Gives waiting patients the time of the new rule; returns those whose time changed. Without a rule nobody keeps a time. */
async function applyAutoInvite(
  tx: Tx,
  ctx: OfficeScope,
  today: string,
  wanted: QueueSettings,
  from: AutoInviteFrom | undefined,
): Promise<string[]> {
  if (wanted.autoInviteEnabled && from === 'new-arrivals') return [];
  if (wanted.autoInviteEnabled && from === undefined) {
    const patients = await countOverdue(tx, ctx.officeId, today, wanted, ctx.now());
    if (patients > 0) throw new Refusal('auto_invite_undecided', { patients } satisfies OverduePatients);
  }
  return setAutoInviteTimes(tx, ctx.officeId, today, wanted, ctx.now());
}

/** The closed days from this day on, in order; no property without a list. */
function closedDaysFrom(days: QueueSettings['closedDays'], today: string): Pick<QueueSettings, 'closedDays'> {
  if (days === undefined) return {};
  return { closedDays: days.filter(({ day }) => day >= today).sort((a, b) => a.day.localeCompare(b.day)) };
}

/** Fills in defaults for settings added after these were saved. */
const complete = (settings: unknown): QueueSettings => ({
  ...queueSettingsDefault,
  ...(settings as Partial<QueueSettings>),
});

const keysOf = (settings: QueueSettings) => Object.keys(settings).sort() as (keyof QueueSettings)[];
