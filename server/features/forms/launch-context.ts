import { ageOn } from '#questionnaire/known/known-facts.ts';
import { launchKind, launchNames, type LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { MemberForm } from './member-form.ts';

/**
 * What the form's expressions may read about the visit, as FHIR resources: only what the form declares, only of its own patient and of who
 * holds the phone, and the phone number only on a proved link. Undefined if the form declares nothing that is known.
 */
export function launchContextOf(
  questionnaire: Questionnaire,
  memberForm: MemberForm,
  isProved: boolean,
): LaunchContext | undefined {
  return declaredResources(questionnaire, (kind, types) => resourceOfVisit(kind, types, memberForm, isProved));
}

/**
 * The same for a survey after a surgery: the patient by name, who also answers, and the day of the surgery. No phone number: a text can be
 * forwarded, and the link in it asks for no proof.
 */
export function launchContextOfSurvey(
  questionnaire: Questionnaire,
  { name, heldOn }: { name: string; heldOn: string },
): LaunchContext | undefined {
  const patient = { resourceType: 'Patient', name: [{ use: 'official', text: name }] };
  return declaredResources(questionnaire, (kind, types) => {
    if (kind === 'encounter') return encounterOn(heldOn, 'finished');
    return kind === 'patient' || types.includes('Patient') ? patient : undefined;
  });
}

type LaunchKind = NonNullable<ReturnType<typeof launchKind>>;

function declaredResources(
  questionnaire: Questionnaire,
  resourceOf: (kind: LaunchKind, types: readonly string[]) => object | undefined,
): LaunchContext | undefined {
  const found = [...launchNames(questionnaire)].flatMap(([name, types]) => {
    const kind = launchKind(name, types);
    const resource = kind && resourceOf(kind, types);
    return resource ? [[name, resource] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

const encounterOn = (start: string, status: 'in-progress' | 'finished') => ({
  resourceType: 'Encounter',
  status,
  class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB', display: 'ambulatory' },
  period: { start },
});

function resourceOfVisit(
  kind: LaunchKind,
  types: readonly string[],
  memberForm: MemberForm,
  isProved: boolean,
): object | undefined {
  const { day, holderName, phone } = memberForm;
  if (kind === 'encounter') return encounterOn(day, 'in-progress');
  const telecom = isProved ? [{ system: 'phone', value: phone, use: 'mobile' }] : [];
  const isOwn = holdsPhone(memberForm);
  if (kind === 'patient' || (isOwn && types.includes('Patient'))) return patientOf(memberForm, isOwn, telecom);
  if (!types.includes('RelatedPerson')) return undefined;
  return { resourceType: 'RelatedPerson', name: [humanName(holderName)], ...(telecom.length > 0 && { telecom }) };
}

/** The number of the visit is the patient's own, or that of the person to contact. */
function patientOf(
  { patientName, holderName, member }: MemberForm,
  isOwn: boolean,
  telecom: readonly object[],
): object {
  const phones = telecom.length > 0 && { telecom };
  return {
    resourceType: 'Patient',
    name: [{ use: 'official', ...humanName(patientName) }],
    ...(member.birthDate !== null && { birthDate: member.birthDate }),
    ...(isOwn ? phones : { contact: [{ name: humanName(holderName), ...phones }] }),
  };
}

/** Whether the patient checked in: a child may have the name of the parent who did. */
function holdsPhone({ member, filledBy, day }: MemberForm): boolean {
  return member.name === filledBy && (member.birthDate === null || ageOn(member.birthDate, day) >= 18);
}

const humanName = ({ firstName, lastName }: MemberForm['patientName']) => ({
  text: `${firstName} ${lastName}`,
  family: lastName,
  given: [firstName],
});
