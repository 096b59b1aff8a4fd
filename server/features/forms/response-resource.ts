import type { LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import type { Questionnaire, QuestionnaireResponse, Reference } from '#questionnaire/questionnaire.ts';
import { extensionOf, urls } from '#questionnaire/extensions.ts';
import { isRecord } from '#questionnaire/values.ts';
import { stableUuid } from './stable-uuid.ts';

/** Whom a form is about. `key` is the same at each visit of the same patient. */
export interface FhirPatient {
  key: string;
  /** Null if only the whole name is known. */
  firstName: string | null;
  lastName: string | null;
  name: string;
  birthDate: string | null;
}

/** A filed form, as it leaves the product. */
export interface FiledResponse {
  id: string;
  definitionId: string;
  response: QuestionnaireResponse;
  completedAt: Date;
  patient: FhirPatient;
  /** Who filled it in, if that was not the patient. */
  filledBy: string | null;
  /** What the form was opened with. */
  launch: LaunchContext | undefined;
}

interface Identifier {
  system: string;
  value: string;
}

interface PatientResource {
  resourceType: 'Patient';
  id: string;
  identifier: Identifier[];
  name: { text: string; family?: string; given?: string[] }[];
  /** Nobody is asked; US Core requires the field. */
  gender: 'unknown';
  birthDate?: string;
}

interface RelatedPersonResource {
  resourceType: 'RelatedPerson';
  id: string;
  patient: Reference;
  name: { text: string }[];
}

/** A QuestionnaireResponse that another program can read without us: it says whom it is about and who answered. */
export interface ResponseResource extends QuestionnaireResponse {
  id: string;
  identifier: Identifier;
  questionnaire: string;
  authored: string;
  subject: Reference;
  source: Reference;
  contained: (PatientResource | RelatedPersonResource)[];
}

export const uuidIdentifier = (uuid: string): Identifier => ({
  system: 'urn:ietf:rfc:3986',
  value: `urn:uuid:${uuid}`,
});

/** The resource of a filed form. */
export function responseResource(filed: FiledResponse, questionnaire: Questionnaire): ResponseResource {
  const { id, response, completedAt, patient, filledBy } = filed;
  const { item, extension, language, status } = response;
  const authored = response.authored ?? completedAt.toISOString();
  const signature = signatureOf(response, authored, filledBy ?? patient.name);
  const others = extension?.filter(({ url }) => url !== urls.responseSignature) ?? [];
  const subject = { reference: '#patient' };
  const answerer: RelatedPersonResource | null =
    filledBy === null
      ? null
      : { resourceType: 'RelatedPerson', id: 'source', patient: subject, name: [{ text: filledBy }] };
  return {
    resourceType: 'QuestionnaireResponse',
    id,
    ...(language && { language }),
    contained: [patientResource(patient, 'patient'), ...(answerer ? [answerer] : [])],
    ...((signature || others.length > 0) && { extension: [...others, ...(signature ? [signature] : [])] }),
    identifier: uuidIdentifier(id),
    questionnaire: response.questionnaire ?? canonicalOf(questionnaire, filed.definitionId),
    status,
    subject,
    authored,
    source: answerer ? { reference: '#source' } : subject,
    ...(item && { item }),
  };
}

/** A questionnaire without an address of its own has one that no other version has. */
const canonicalOf = ({ url, version }: Questionnaire, definitionId: string): string =>
  url ? (version ? `${url}|${version}` : url) : `urn:uuid:${definitionId}`;

export function patientResource({ key, firstName, lastName, name, birthDate }: FhirPatient, id: string) {
  return {
    resourceType: 'Patient',
    id,
    identifier: [uuidIdentifier(key)],
    name: [{ text: name, ...(lastName && { family: lastName }), ...(firstName && { given: [firstName] }) }],
    gender: 'unknown',
    ...(birthDate && { birthDate }),
  } satisfies PatientResource;
}

/** The key of a patient: a phone number's owner has family members, who are known by name and birth date only. */
export const patientKey = (patientId: string, searchName: string, birthDate: string | null): string =>
  stableUuid(patientId, searchName, birthDate);

/** FHIR requires when and by whom it was signed, also of a signature that is only drawn. */
function signatureOf(response: QuestionnaireResponse, authored: string, signer: string) {
  const signed = extensionOf(response, urls.responseSignature);
  const signature = signed?.['valueSignature'];
  if (!signed || !isRecord(signature)) return undefined;
  const who = isRecord(signature['who']) && signature['who']['display'] ? signature['who'] : { display: signer };
  return { ...signed, valueSignature: { ...signature, when: signature['when'] ?? authored, who } };
}
