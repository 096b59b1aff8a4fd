import { Temporal } from 'temporal-polyfill';
import type { OpenForm } from '#contract/forms/filling.ts';
import type { Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { readEarlierAnswers } from './form-work.ts';
import type { MemberForm, VisitScope } from './member-form.ts';
import { findEarlierForm, normalizeForSearch } from './sql.ts';

/** Older answers are asked for again. */
const years = 2;

export interface EarlierForm {
  day: string;
  response: QuestionnaireResponse;
}

/** The form as the patient last submitted it at another visit; null for an unproved link, which may be anybody's. */
export async function earlierFormOf(tx: Tx, scope: VisitScope, memberForm: MemberForm): Promise<EarlierForm | null> {
  const { officeId, visitId, formType, phone, member, day } = memberForm;
  if (!scope.proved || member.birthDate === null) return null;
  const found = await findEarlierForm(tx, {
    officeId,
    visitId,
    formType,
    phone,
    searchName: normalizeForSearch(member.name),
    birthDate: member.birthDate,
    since: Temporal.PlainDate.from(day).subtract({ years }).toString(),
  });
  if (!found) return null;
  await writeAuditEntry(tx, scope, { action: 'form.read-by-patient', subject: found.id });
  return { day: found.day, response: found.answers as unknown as QuestionnaireResponse };
}

/** Its answers that may be filled in, with the day they were given; undefined if there are none. */
export async function answersToConfirm(
  questionnaire: Questionnaire,
  earlier: EarlierForm | null,
  officeId: string,
): Promise<OpenForm['earlier']> {
  if (!earlier) return undefined;
  const answers = await readEarlierAnswers(questionnaire, earlier.response, officeId);
  if (Object.keys(answers).length === 0) return undefined;
  return { day: earlier.day, answers: answers as NonNullable<OpenForm['earlier']>['answers'] };
}
