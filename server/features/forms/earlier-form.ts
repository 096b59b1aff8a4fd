import { Temporal } from 'temporal-polyfill';
import type { OpenForm } from '#contract/forms/filling.ts';
import type { Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { readEarlierAnswers } from './form-work.ts';
import type { MemberForm, VisitScope } from './member-form.ts';
import { findEarlierForm, normalizeForSearch, patientsOfNumber } from './sql.ts';

/** Older answers are asked for again. */
const years = 2;
/** From 12 to 17 years patients may have care that their family does not learn of, and a family shares a number. */
const confidentialFrom = 12;
const grownUpFrom = 18;
/** Birth dates that one name may have had with one number in the last month; a fourth is somebody who tries them. */
const birthDatesAtMost = 3;
const triesCountDays = 30;

export interface EarlierForm {
  day: string;
  response: QuestionnaireResponse;
}

/**
 * This version of the form as the patient last submitted it at another visit. Null for an unproved link, which may be anybody's, for
 * patients from 12 to 17, and while somebody seems to try birth dates (docs/decisions/0095).
 */
export async function earlierFormOf(
  tx: Tx,
  scope: VisitScope,
  memberForm: MemberForm,
  definitionId: string,
): Promise<EarlierForm | null> {
  const { officeId, visitId, formType, phone, member, day } = memberForm;
  const searchName = normalizeForSearch(member.name);
  if (!scope.proved || member.birthDate === null || searchName === '') return null;
  const today = Temporal.PlainDate.from(day);
  const age = Temporal.PlainDate.from(member.birthDate).until(today, { largestUnit: 'years' }).years;
  if (age >= confidentialFrom && age < grownUpFrom) return null;
  const found = await findEarlierForm(tx, {
    officeId,
    visitId,
    formType,
    definitionId,
    phone,
    searchName,
    birthDate: member.birthDate,
    since: today.subtract({ years }).toString(),
  });
  if (!found) return null;
  const since = today.subtract({ days: triesCountDays }).toString();
  const patients = await patientsOfNumber(tx, { officeId, phone, since });
  const ofThisName = patients.filter(
    (other) => normalizeForSearch(`${other.firstName} ${other.lastName}`) === searchName,
  );
  if (ofThisName.length > birthDatesAtMost) return null;
  await writeAuditEntry(tx, scope, {
    action: 'form.read-by-patient',
    subject: found.id,
    details: { visit: visitId },
  });
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
