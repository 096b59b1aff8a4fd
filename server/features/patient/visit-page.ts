import { isHistory, type QueueEntry } from '#contract/queue.ts';
import type { Arrival, PatientAction, PatientVisit } from '#contract/patient.ts';
import type { QueueSettings } from '#contract/office.ts';
import type { VisitCtx } from '#server/ctx.ts';
import { openNow } from '#server/features/office/index.ts';
import {
  arriveExpected,
  bumpQueue,
  lockVisit,
  makeMove,
  messagesOf,
  placeOf,
  raiseHand,
  type VisitRow,
} from '#server/features/queue/index.ts';
import { record } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db.ts';
import { tell } from '#server/kit/live.ts';
import { Refusal } from '#server/kit/refusal.ts';

/** The visit as its patient sees it. The first look tells the desk that a phone has the page open. */
export async function readPatientVisit(ctx: VisitCtx): Promise<PatientVisit> {
  return ctx.transaction(async (tx) => {
    const visit = await find(tx, ctx);
    if (visit.phoneSeenAt === null) await notePhone(tx, ctx, visit);
    await record(tx, ctx, { action: 'visit.read-by-patient', subject: visit.id });
    return pageOf(tx, ctx, visit);
  });
}

/** On my way, I'm in, Cancel: moves of the contract. Still waiting? raises the card. */
export async function movePatientVisit(ctx: VisitCtx, action: PatientAction): Promise<PatientVisit> {
  return ctx.transaction(async (tx) => {
    const visit = await find(tx, ctx);
    if (action !== 'stillWaiting') await makeMove(tx, ctx, visit, action);
    else if (visit.status === 'WAITING') await raiseHand(tx, ctx, visit);
    else throw new Refusal('visit_moved_on');
    return pageOf(tx, ctx, await find(tx, ctx));
  });
}

/** "I'm here" from a texted link. */
export async function arriveByLink(ctx: VisitCtx, party: Omit<Arrival, 'phone'>): Promise<PatientVisit> {
  const today = ctx.now().toISOString().slice(0, 10);
  if (
    [party, ...party.household].some(
      ({ birthDate }) => birthDate !== null && (birthDate > today || birthDate < '1900-01-01'),
    )
  ) {
    throw new Refusal('invalid_birth_date');
  }
  return ctx.transaction(async (tx) => {
    const office = await tx
      .selectFrom('office')
      .select(['queueSettings', 'timeZone'])
      .where('id', '=', ctx.officeId)
      .executeTakeFirstOrThrow();
    if (!openNow(office.queueSettings as unknown as QueueSettings, office.timeZone, ctx.now()).isOpen)
      throw new Refusal('office_closed');
    await arriveExpected(tx, ctx, ctx.visitId, party);
    return pageOf(tx, ctx, await find(tx, ctx));
  });
}

/** The language of this patient's page and texts. */
export async function setLanguage(ctx: VisitCtx, language: 'en' | 'es'): Promise<PatientVisit> {
  return ctx.transaction(async (tx) => {
    const visit = await find(tx, ctx);
    await tx
      .updateTable('visit')
      .set({ language })
      .where('officeId', '=', ctx.officeId)
      .where('id', '=', visit.id)
      .execute();
    await tx
      .updateTable('patient')
      .set({ language })
      .where('officeId', '=', ctx.officeId)
      .where('id', '=', visit.patientId)
      .execute();
    await bumpQueue(tx, ctx.officeId, visit.day);
    await record(tx, ctx, { action: 'visit.language', subject: visit.id, details: { language } });
    return pageOf(tx, ctx, await find(tx, ctx));
  });
}

async function find(tx: Tx, ctx: VisitCtx): Promise<VisitRow> {
  const visit = await lockVisit(tx, ctx.officeId, ctx.visitId);
  if (!visit) throw new Refusal('visit_link_ended');
  return visit;
}

async function notePhone(tx: Tx, ctx: VisitCtx, visit: VisitRow): Promise<void> {
  await tx
    .updateTable('visit')
    .set({ phoneSeenAt: ctx.now() })
    .where('officeId', '=', ctx.officeId)
    .where('id', '=', visit.id)
    .execute();
  await bumpQueue(tx, ctx.officeId, visit.day);
  await tell(tx, { office: ctx.officeId, type: 'checkin' });
}

async function pageOf(tx: Tx, ctx: VisitCtx, visit: VisitRow): Promise<PatientVisit> {
  const office = await tx.selectFrom('office').selectAll().where('id', '=', ctx.officeId).executeTakeFirstOrThrow();
  const members = await tx
    .selectFrom('visitMember')
    .select(['firstName', 'lastName'])
    .where('officeId', '=', ctx.officeId)
    .where('visitId', '=', visit.id)
    .orderBy('position')
    .execute();
  const messages = await messagesOf(tx, ctx.officeId, visit.id);
  return {
    officeName: office.name,
    npi: office.npi,
    address: [office.addressLine1, office.city, `${office.state} ${office.zip}`.trim()].join(', '),
    timeZone: office.timeZone,
    firstName: visit.firstName,
    members: members.map((m) => ({ name: `${m.firstName} ${m.lastName}` })),
    statusCode: visit.status,
    version: visit.version,
    place: visit.status === 'WAITING' ? await placeOf(tx, visit) : null,
    createdAt: (visit.arrivedAt ?? visit.createdAt).toISOString(),
    statusAt: visit.statusAt.toISOString(),
    autoInviteAt: visit.status === 'WAITING' ? (visit.autoInviteAt?.toISOString() ?? null) : null,
    stillWaitingAt: visit.stillWaitingAt?.toISOString() ?? null,
    endReason: isHistory(visit.status) ? (visit.endReason as QueueEntry['endReason']) : null,
    language: visit.language === 'es' ? 'es' : 'en',
    messages: messages
      .filter((m) => m.kind === 'message')
      .map((m) => ({
        id: m.id,
        at: m.at.toISOString(),
        from: m.sender as 'office' | 'patient',
        body: m.body,
        state: m.state as PatientVisit['messages'][number]['state'],
      })),
    now: ctx.now().toISOString(),
  };
}
