import { openStatuses, type VisitMessage, type VisitStatus } from '#contract/queue.ts';
import type { OfficeScope } from '#server/context.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether, type Statements } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { newToken } from '#server/kit/crypto/secret.ts';
import { officeRow } from '#server/office-row.ts';
import { autoInviteAt } from './auto-invite.ts';
import { announceVisitChange, visitChangeStatements } from './after-change.ts';
import { newLinkStatements } from './visit-links.ts';
import { linkTextStatements, type TextedVisit } from './messages.ts';
import { eventStatement, lockVisit, type VisitRow } from './sql.ts';
import { makeMove, refuseSecondVisit } from './make-move.ts';

export interface Person {
  firstName: string;
  lastName: string;
  birthDate: string | null;
}

/** The people who check in together: the phone's owner and family members who have an appointment too. */
export interface Party extends Person {
  phone: string;
  birthDate: string;
  household: Person[];
  language: 'en' | 'es';
}

/** This phone's open visit of the day, locked. */
export function runningVisit(tx: Tx, officeId: string, day: string, phone: string): Promise<VisitRow | undefined> {
  return tx
    .selectFrom('visit')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('day', '=', day)
    .where('phone', '=', phone)
    .where('status', 'in', openStatuses)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Checks in somebody who typed their number: a WAITING visit with its party, event, unproved link, audit entry and hint. The number may be
 * anybody's, so an existing patient keeps their name; the visit gets the name that was entered.
 */
export async function arrive(tx: Tx, scope: OfficeScope, party: Party): Promise<{ visitId: string; token: string }> {
  const office = await officeRow(tx, scope.officeId);
  const at = scope.now();
  const day = dayOf(at, office.timeZone);
  const { visit, ...added } = await newVisitStatements(tx, scope, {
    ...party,
    day,
    status: 'WAITING',
    arrivedAt: at,
    autoInviteAt: autoInviteAt(office.queueSettings, at),
  });
  const link = await newLinkStatements(tx, scope, visit, { proved: false });
  await runTogether(
    tx,
    added,
    { statements: [...link.statements, membersStatement(tx, scope, visit.id, party)], hints: [] },
    visitChangeStatements(tx, scope, visit, { action: 'visit.arrive' }),
  );
  return { visitId: visit.id, token: link.token };
}

/** Checks in by a texted link: the expected visit becomes a waiting one with the name the patient entered. */
export async function arriveExpected(
  tx: Tx,
  scope: OfficeScope,
  visitId: string,
  party: Omit<Party, 'phone'>,
): Promise<void> {
  const visit = await lockVisit(tx, scope.officeId, visitId);
  if (!visit) throw new Refusal('visit_link_ended');
  await makeMove(tx, scope, visit, 'arrive');
  await tx
    .updateTable('visit')
    .set({ firstName: party.firstName, lastName: party.lastName, language: party.language })
    .where('officeId', '=', scope.officeId)
    .where('id', '=', visitId)
    .execute();
  await savePatient(tx, scope, { ...party, phone: visit.phone }, { rename: true });
  await membersStatement(tx, scope, visitId, party).execute();
}

/** Adds an EXPECTED visit by phone number only, and texts its link. */
export async function expectPatient(tx: Tx, scope: OfficeScope, phone: string, ownWords?: string): Promise<string> {
  const office = await officeRow(tx, scope.officeId);
  const day = dayOf(scope.now(), office.timeZone);
  if (await runningVisit(tx, scope.officeId, day, phone)) throw new Refusal('visit_running');
  const known = await tx
    .selectFrom('patient')
    .selectAll()
    .where('officeId', '=', scope.officeId)
    .where('phone', '=', phone)
    .executeTakeFirst();
  const { visit, ...added } = await newVisitStatements(tx, scope, {
    firstName: known?.firstName ?? '',
    lastName: known?.lastName ?? '',
    birthDate: known?.birthDate ?? null,
    language: known?.language ?? 'en',
    phone,
    day,
    status: 'EXPECTED',
    arrivedAt: null,
    autoInviteAt: null,
  });
  const texted = await linkTextStatements(tx, scope, visit, 'expect', { ownWords });
  await runTogether(tx, added, texted, visitChangeStatements(tx, scope, visit, { action: 'visit.expect' })).catch(
    refuseSecondVisit,
  );
  return visit.id;
}

/** Texts a running visit's link again. It goes to the visit's phone, never to the browser that typed the number. */
export async function resendLink(tx: Tx, scope: OfficeScope, visit: VisitRow): Promise<VisitMessage> {
  const texted = await linkTextStatements(tx, scope, visit, 'link');
  await runTogether(tx, texted, visitChangeStatements(tx, scope, visit, { action: 'visit.link', hint: 'message' }));
  return texted.message;
}

/** "Still waiting?" marks the visit for the desk. It is not a move: the status stays. */
export async function markStillWaiting(tx: Tx, scope: OfficeScope, visit: VisitRow): Promise<void> {
  await tx
    .updateTable('visit')
    .set({ stillWaitingAt: scope.now(), version: visit.version + 1 })
    .where('officeId', '=', scope.officeId)
    .where('id', '=', visit.id)
    .execute();
  await announceVisitChange(tx, scope, visit, { action: 'visit.still-waiting' });
}

interface NewVisit extends Person {
  phone: string;
  language: 'en' | 'es';
  day: string;
  status: VisitStatus;
  arrivedAt: Date | null;
  autoInviteAt: Date | null;
}

/** Saves the patient at once; returns the statements of the visit and its first event. */
async function newVisitStatements(
  tx: Tx,
  scope: OfficeScope,
  newVisit: NewVisit,
): Promise<Statements & { visit: TextedVisit }> {
  const at = scope.now();
  const id = scope.id();
  const { day, status, phone, firstName, lastName, language, arrivedAt, autoInviteAt } = newVisit;
  const patientId = await savePatient(tx, scope, newVisit, { rename: false });
  const visitStatement = tx.insertInto('visit').values({
    officeId: scope.officeId,
    id,
    patientId,
    day,
    status,
    phone,
    firstName,
    lastName,
    language,
    createdAt: at,
    arrivedAt,
    statusAt: at,
    actedBy: scope.actor.kind === 'staff' ? 'staff' : 'patient',
    actedByName: scope.actor.name,
    autoInviteAt,
  });
  const event = eventStatement(tx, {
    id: scope.id(),
    officeId: scope.officeId,
    visitId: id,
    at: at.toISOString(),
    move: status === 'EXPECTED' ? 'expect' : 'arrive',
    from: null,
    to: status,
    by: scope.actor.kind === 'staff' ? 'staff' : 'patient',
    byName: scope.actor.name,
    actorId: scope.actor.id,
    note: null,
    version: 1,
  });
  return { visit: { id, patientId, day, status, phone, language }, statements: [visitStatement, event], hints: [] };
}

/** The phone owner's account in this office. It is made at the first visit; only a link that was texted to the phone may rename it. */
async function savePatient(
  tx: Tx,
  scope: OfficeScope,
  person: Person & { phone: string; language: 'en' | 'es' },
  { rename }: { rename: boolean },
): Promise<string> {
  const names = {
    firstName: person.firstName,
    lastName: person.lastName,
    birthDate: person.birthDate,
    language: person.language,
  };
  const saved = await tx
    .insertInto('patient')
    .values({
      officeId: scope.officeId,
      id: scope.id(),
      userCode: newToken().slice(0, 16),
      phone: person.phone,
      createdAt: scope.now(),
      ...names,
    })
    .onConflict((conflict) =>
      conflict.columns(['officeId', 'phone']).doUpdateSet(rename ? names : { phone: person.phone }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return saved.id;
}

function membersStatement(tx: Tx, scope: OfficeScope, visitId: string, party: Omit<Party, 'phone'>) {
  return tx.insertInto('visitMember').values(
    [party, ...party.household].map(({ firstName, lastName, birthDate }, position) => ({
      officeId: scope.officeId,
      id: scope.id(),
      visitId,
      position,
      firstName,
      lastName,
      birthDate,
    })),
  );
}
