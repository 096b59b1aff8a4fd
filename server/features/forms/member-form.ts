import type { Language } from '#contract/shapes.ts';
import type { OfficeScope } from '#server/context.ts';
import { entryOwnerFor, type EntryOwner, type LinkScope } from '#server/features/queue/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { requestedForms, type Definition, type RequestedForm } from './definition-sql.ts';
import { readDefinition } from './definitions.ts';
import { findVisit, membersOf, type SubmissionRow, type VisitOfForms } from './sql.ts';

export type VisitScope = OfficeScope & LinkScope;

export interface MemberFormKey {
  memberId: string;
  formType: string;
}

interface PersonName {
  firstName: string;
  lastName: string;
}

/** A form of one family member: its key, and what the office requests now. */
export interface MemberForm {
  officeId: string;
  visitId: string;
  memberId: string;
  formType: string;
  language: Language;
  member: { name: string; birthDate: string | null };
  patientName: PersonName;
  wanted: RequestedForm | undefined;
  day: string;
  /** The person who checked in, and so filled in the form. */
  filledBy: string;
  holderName: PersonName;
  /** The visit's number. */
  phone: string;
  /** The token whose drafts and submissions may be read; null for all. */
  own: EntryOwner;
}

/** The member's form, if the member belongs to the visit. */
export async function findMemberForm(
  tx: Tx,
  scope: VisitScope,
  { memberId, formType }: MemberFormKey,
): Promise<MemberForm> {
  const { officeId, visitId } = scope;
  const own = await entryOwnerFor(tx, scope);
  const [visit, members, wanted] = await Promise.all([
    visitOf(tx, scope),
    membersOf(tx, officeId, visitId),
    requestedForms(tx, officeId),
  ]);
  const member = members.find(({ id }) => id === memberId);
  if (!member) throw new Refusal('form_not_found');
  return {
    officeId,
    visitId,
    memberId,
    formType,
    language: visit.language,
    member: { name: `${member.firstName} ${member.lastName}`, birthDate: member.birthDate },
    patientName: { firstName: member.firstName, lastName: member.lastName },
    wanted: wanted.find(({ type }) => type === formType),
    day: visit.day,
    filledBy: `${visit.firstName} ${visit.lastName}`,
    holderName: { firstName: visit.firstName, lastName: visit.lastName },
    phone: visit.phone,
    own,
  };
}

/** The draft's version of the form; without a draft the requested one, else the submitted one. */
export async function definitionFor(
  tx: Tx,
  memberForm: MemberForm,
  draft: SubmissionRow | undefined,
  valid: SubmissionRow | undefined,
): Promise<Definition> {
  const id = draft?.definitionId ?? memberForm.wanted?.definitionId ?? valid?.definitionId;
  const definition = id === undefined ? undefined : await readDefinition(tx, memberForm.officeId, id);
  if (!definition) throw new Refusal('form_not_found');
  return definition;
}

export async function visitOf(
  tx: Tx,
  { officeId, visitId }: Pick<VisitScope, 'officeId' | 'visitId'>,
): Promise<VisitOfForms> {
  const visit = await findVisit(tx, officeId, visitId);
  if (!visit) throw new Refusal('visit_link_ended');
  return visit;
}
