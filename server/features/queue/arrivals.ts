import type { VisitMessage, VisitStatus } from '#contract/queue.ts';
import type { Language } from '#contract/shapes.ts';
import type { OfficeScope } from '#server/context.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether, type Statements } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { patientWordsStatement } from '#server/features/directory/index.ts';
import {
  contactColumns,
  markVisitStillWaiting,
  membersStatement,
  newVisitStatement,
  patientOfPhone,
  renameVisit,
  runningVisit,
  savePatient,
  type Contact,
  type Party,
  type Person,
} from './arrival-sql.ts';
import { autoInviteAt } from './auto-invite.ts';
import { announceVisitChange, visitChangeStatements } from './after-change.ts';
import { newLinkStatements } from './visit-links.ts';
import { linkTextStatements, type TextedVisit } from './messages.ts';
import { eventStatement, lockVisit, type VisitRow } from './sql.ts';
import { makeMove, refuseSecondVisit } from './make-move.ts';

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
  await saveParty(tx, scope, visit, party);
}

/** Saves the people that were entered by a visit's texted link. */
async function saveParty(
  tx: Tx,
  scope: OfficeScope,
  { id, phone }: Pick<VisitRow, 'id' | 'phone'>,
  party: Omit<Party, 'phone'>,
): Promise<void> {
  await renameVisit(tx, scope.officeId, id, party);
  const patientId = await savePatient(tx, scope, { ...party, phone }, { rename: true });
  const words = patientWordsStatement(tx, scope, patientId, { people: namesOf(party), phone });
  await runTogether(tx, { statements: [membersStatement(tx, scope, id, party), words], hints: [] });
}

/**
 * Checks in an expected patient who texts that they are here, in the language of that text. The patient enters the names on the visit's
 * page later: the text tells only the number, which a whole family may share.
 */
export async function arriveByText(tx: Tx, scope: OfficeScope, visitId: string, language: Language): Promise<void> {
  const visit = await lockVisit(tx, scope.officeId, visitId);
  if (!visit) throw new Refusal('visit_not_found');
  await makeMove(tx, scope, visit, 'arrive');
  if (visit.language !== language) await renameVisit(tx, scope.officeId, visitId, { ...visit, language });
}

/** Saves who comes, on a visit that arrived by a text. */
export async function nameArrived(
  tx: Tx,
  scope: OfficeScope,
  visit: VisitRow,
  party: Omit<Party, 'phone'>,
): Promise<void> {
  await saveParty(tx, scope, visit, party);
  await announceVisitChange(tx, scope, visit, { action: 'visit.name' });
}

/** Adds an EXPECTED visit by phone number only, and texts its link. */
export async function expectPatient(tx: Tx, scope: OfficeScope, phone: string, customText?: string): Promise<string> {
  const office = await officeRow(tx, scope.officeId);
  const day = dayOf(scope.now(), office.timeZone);
  if (await runningVisit(tx, scope.officeId, day, phone)) throw new Refusal('visit_running');
  const known = await patientOfPhone(tx, scope.officeId, phone);
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
  const texted = await linkTextStatements(tx, scope, visit, 'expect', { customText });
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
  await markVisitStillWaiting(tx, visit, scope.now());
  await announceVisitChange(tx, scope, visit, { action: 'visit.still-waiting' });
}

/** Everybody by whose name the patient is found: those who are seen, and a contact. */
const namesOf = ({ firstName, lastName, birthDate, household = [], contact }: NamedParty): Person[] => [
  { firstName, lastName, birthDate },
  ...household,
  ...(contact ? [{ ...contact, birthDate: null }] : []),
];

interface NamedParty extends Person {
  household?: Person[];
  contact?: Contact | undefined;
}

interface NewVisit extends NamedParty {
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
  const visitStatement = newVisitStatement(tx, {
    officeId: scope.officeId,
    id,
    patientId,
    day,
    status,
    phone,
    firstName,
    lastName,
    language,
    ...contactColumns(newVisit.contact),
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
  const words = patientWordsStatement(tx, scope, patientId, { people: namesOf(newVisit), phone });
  return {
    visit: { id, patientId, day, status, phone, language },
    statements: [visitStatement, event, words],
    hints: [],
  };
}
