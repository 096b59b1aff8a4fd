import type { Arrival, OfficeFront } from '#contract/patient.ts';
import type { QueueSettings } from '#contract/office.ts';
import type { AnyoneCtx, OfficeScope } from '#server/ctx.ts';
import { openNow } from '#server/features/office/index.ts';
import { arrive, runningVisit, sendLinkAgain, todayOf } from '#server/features/queue/index.ts';
import { visitOf } from '#server/kit/context.ts';
import type { Tx } from '#server/kit/db.ts';
import { onceIn } from '#server/kit/idempotency.ts';
import { usPhone } from '#server/kit/phone.ts';
import { Refusal } from '#server/kit/refusal.ts';

const perAddress = { name: 'checkin-address', points: 60, seconds: 3600 };
const perPhone = { name: 'checkin-phone', points: 12, seconds: 3600 };
const cookieDays = 3 * 86_400;

/** The check-in page of an NPI: the office, and the visit this same browser has running there. */
export async function readOfficeFront(
  ctx: AnyoneCtx,
  npi: string,
): Promise<{ office: OfficeFront; running: { token: string } | null }> {
  const scope = await officeOfNpi(ctx, npi);
  return scope.transaction(async (tx) => {
    const office = await frontOf(tx, scope);
    const token = await ownVisit(ctx, scope, tx);
    return { office, running: token === null ? null : { token } };
  });
}

/** "I'm here": makes the visit, or leads back to the one that runs already. A retry with the same Idempotency-Key gets the same visit. */
export async function checkIn(
  ctx: AnyoneCtx,
  npi: string,
  given: Arrival,
): Promise<{ outcome: 'visit' | 'link-sent'; token: string | null }> {
  const scope = await officeOfNpi(ctx, npi);
  const phone = usPhone(given.phone);
  if (!phone) throw new Refusal('invalid_phone');
  const people = [given, ...given.household];
  const today = ctx.now().toISOString().slice(0, 10);
  if (people.some(({ birthDate }) => birthDate !== null && (birthDate > today || birthDate < '1900-01-01')))
    throw new Refusal('invalid_birth_date');
  await ctx.limits.take(perAddress, ctx.http.address);
  await ctx.limits.take(perPhone, `${scope.officeId} ${phone}`);

  const act = async (tx: Tx): Promise<{ outcome: 'visit' | 'link-sent'; token: string | null }> => {
    const front = await frontOf(tx, scope);
    if (!front.checkinEnabled) throw new Refusal('office_not_found');
    const running = await runningVisit(tx, scope.officeId, await todayOf(tx, scope), phone);
    if (running) {
      const own = await ownVisit(ctx, scope, tx, running.id);
      if (own !== null) return { outcome: 'visit', token: own };
      await sendLinkAgain(tx, scope, running);
      return { outcome: 'link-sent', token: null };
    }
    if (!front.isOpen) throw new Refusal('office_closed');
    const { token } = await arrive(tx, scope, { ...given, phone });
    return { outcome: 'visit', token };
  };
  const key = ctx.http.header('idempotency-key');
  const attempt = () =>
    scope.transaction((tx) =>
      key && key.length <= 200
        ? onceIn(tx, { scope: `check-in:${scope.officeId}`, key, body: JSON.stringify(given), at: ctx.now() }, () =>
            act(tx),
          )
        : act(tx),
    );
  const result = await attempt().catch((error: unknown) => {
    // Two phones pressed at once: the other one made the visit, so now there is one to lead to.
    if ((error as { constraint?: string }).constraint === 'visit_running') return attempt();
    throw error;
  });
  if (result.token !== null) ctx.http.setCookie(cookieName(scope.officeId), result.token, cookieDays);
  return result;
}

const cookieName = (officeId: string) => `visit-${officeId.slice(0, 8)}${officeId.slice(-4)}`;

/** The token this browser holds, when the visit it opens runs here today (and is the one asked for). */
async function ownVisit(ctx: AnyoneCtx, scope: OfficeScope, tx: Tx, visitId?: string): Promise<string | null> {
  const token = ctx.http.cookie(cookieName(scope.officeId));
  const found = token === undefined ? null : await visitOf(ctx, token);
  if (
    !found ||
    token === undefined ||
    found.officeId !== scope.officeId ||
    (visitId !== undefined && found.visitId !== visitId)
  )
    return null;
  const visit = await tx
    .selectFrom('visit')
    .select(['day', 'endedAt'])
    .where('officeId', '=', scope.officeId)
    .where('id', '=', found.visitId)
    .executeTakeFirst();
  return visit && visit.endedAt === null && visit.day === (await todayOf(tx, scope)) ? token : null;
}

async function officeOfNpi(ctx: AnyoneCtx, npi: string): Promise<OfficeScope> {
  if (!/^\d{10}$/.test(npi)) throw new Refusal('office_not_found');
  const { rows } = await ctx.pool.query<{ id: string | null }>({
    name: 'door_npi',
    text: 'select door_office_by_npi($1) as id',
    values: [npi],
  });
  const officeId = rows[0]?.id;
  if (!officeId) throw new Refusal('office_not_found');
  return ctx.inOffice(officeId, { kind: 'patient', id: null, name: null });
}

async function frontOf(tx: Tx, scope: OfficeScope): Promise<OfficeFront> {
  const office = await tx.selectFrom('office').selectAll().where('id', '=', scope.officeId).executeTakeFirstOrThrow();
  if (office.agreementSignedAt === null) throw new Refusal('office_not_found');
  const settings = office.queueSettings as unknown as QueueSettings;
  const flags = office.settings as { disableCheckin?: unknown };
  const now = scope.now();
  const open = openNow(settings, office.timeZone, now);
  return {
    npi: office.npi,
    officeName: office.name,
    address: [office.addressLine1, office.city, `${office.state} ${office.zip}`.trim()].join(', '),
    greeting: settings.greeting,
    timeZone: office.timeZone,
    isOpen: open.isOpen,
    checkinEnabled: flags.disableCheckin !== true,
    hoursToday: open.hoursToday,
    nextOpening: open.nextOpening?.toISOString() ?? null,
    now: now.toISOString(),
  };
}
