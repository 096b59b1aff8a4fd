import type { LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import { isRecord } from '#questionnaire/values.ts';
import { extractResources } from '#questionnaire/extraction/extract.ts';
import type { ExtractableResponse, ExtractedEntry, ExtractionProblem } from '#questionnaire/extraction/extracted.ts';
import { isList } from '#questionnaire/extraction/lists.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { patientResource, uuidIdentifier, type FhirPatient, type ResponseResource } from './response-resource.ts';
import { withOwnReferences } from './own-references.ts';
import type { FilingClock } from './filing-clock.ts';
import { stableUuid } from './stable-uuid.ts';

/** A filed form with what extracting its answers needs. */
export interface FormToExtract {
  questionnaire: Questionnaire;
  resource: ResponseResource;
  patient: FhirPatient;
  /** When it was filed, by the office's clock. */
  clock: FilingClock;
  /** What the form was opened with. */
  launch: LaunchContext | undefined;
}

export interface TransactionBundle {
  resourceType: 'Bundle';
  type: 'transaction';
  entry: ExtractedEntry[];
}

export interface ExtractedForm {
  bundle: TransactionBundle;
  /** The entries that the questionnaire's rules made; the others are the patient and the response. */
  extracted: ExtractedEntry[];
  problems: ExtractionProblem[];
}

const usCore = 'http://hl7.org/fhir/us/core/StructureDefinition/';

/**
 * A transaction with the patient, the response and everything extracted from it. Each entry is created only if the server does not have it
 * yet, by an identifier that is the same each time. Runs in a worker only.
 */
export async function extractionBundle(form: FormToExtract): Promise<ExtractedForm> {
  const { questionnaire, resource, patient, clock, launch } = form;
  const patientUrl = `urn:uuid:${patient.key}`;
  const responseUrl = `urn:uuid:${resource.id}`;
  const response = detachPatient(resource, patientUrl);
  const { entries, problems } = await extractResources(
    { questionnaire, response, responseUrl, clock, launch },
    (name) => stableUuid(resource.id, name),
  );
  const { id: _, ...ours } = patientResource(patient, '');
  const others = entries.filter(({ resource: one, request }) => one.resourceType === 'Patient' && isPlain(request));
  const own = others.length === 1 ? others[0] : undefined;
  const subject: ExtractedEntry = {
    fullUrl: patientUrl,
    resource: {
      ...ours,
      ...own?.resource,
      resourceType: 'Patient',
      meta: { profile: [`${usCore}us-core-patient`] },
      identifier: [...ours.identifier, ...listOf(own?.resource['identifier'])],
    },
    request: createOnce('Patient', patient.key),
  };
  const { id: __, ...withoutId } = response;
  const extracted = entries.filter((entry) => entry !== own).map(withIdentifier);
  const entry: ExtractedEntry[] = [
    subject,
    {
      fullUrl: responseUrl,
      resource: { ...withoutId, resourceType: 'QuestionnaireResponse' },
      request: createOnce('QuestionnaireResponse', resource.id),
    },
    ...extracted,
  ];
  const bundle: TransactionBundle = { resourceType: 'Bundle', type: 'transaction', entry };
  if (own) replaceUrl(bundle, own.fullUrl, patientUrl);
  return { bundle, extracted: own ? [subject, ...extracted] : extracted, problems };
}

/** The response as an entry beside its patient, instead of one that contains them. */
function detachPatient(resource: ResponseResource, patientUrl: string): ExtractableResponse & { id: string } {
  const { contained, source, ...rest } = resource;
  const subject = { reference: patientUrl };
  const others = contained.filter(({ resourceType }) => resourceType !== 'Patient');
  const isByPatient = source.reference === resource.subject.reference;
  return {
    ...rest,
    ...(others.length > 0 && { contained: others.map((one) => ({ ...one, patient: subject })) }),
    subject,
    source: isByPatient ? subject : { reference: source.reference ?? '' },
  };
}

const isPlain = ({ method, ifNoneExist }: ExtractedEntry['request']) => method === 'POST' && ifNoneExist === undefined;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

function createOnce(url: string, uuid: string): ExtractedEntry['request'] {
  const { system, value } = uuidIdentifier(uuid);
  return { method: 'POST', url, ifNoneExist: `identifier=${system}|${value}` };
}

/** A created resource is marked, so that the same transaction creates it once; updates repeat harmlessly. */
function withIdentifier(entry: ExtractedEntry): ExtractedEntry {
  const { resource, request, fullUrl } = entry;
  if (!isPlain(request) || !isList(resource.resourceType, 'identifier')) return entry;
  const uuid = fullUrl.replace(/^urn:uuid:/, '');
  const identifier = [...listOf(resource['identifier']), uuidIdentifier(uuid)];
  return { fullUrl, resource: { ...resource, identifier }, request: createOnce(resource.resourceType, uuid) };
}

/**
 * The bundle as it is sent: each entry only creates, and only once. Updates, deletions and conditions that a questionnaire's author wrote, and
 * ids, stay in the download: what else the server holds, also of other practices, is not theirs to change. Nor to point at: references name
 * entries of this bundle, and a patient has no links and no number but ours. A resource that cannot be marked is left out, because a repeated
 * transaction would create it again.
 */
export function creatingOnly({ entry, ...bundle }: TransactionBundle, responseId: string): TransactionBundle {
  const [patient, response] = entry;
  const created = entry.flatMap((one, i): ExtractedEntry[] => {
    // The patient and the response.
    if (i < 2) return [one];
    const { resourceType } = one.resource;
    if (!/^[A-Z][A-Za-z]+$/.test(resourceType) || !isList(resourceType, 'identifier')) return [];
    return [{ ...one, request: createOnce(resourceType, stableUuid(responseId, `sent ${i}`)) }];
  });
  const sent = created.map((one) => ({ one, fullUrl: urlOfCreated(one, patient, response) }));
  const urls = new Map<string, string>();
  for (const { one, fullUrl } of sent) if (!urls.has(one.fullUrl)) urls.set(one.fullUrl, fullUrl);
  return {
    ...bundle,
    entry: sent.map(({ one, fullUrl }) => ({
      fullUrl,
      resource: ownResource(one.resource, fullUrl, urls, patient?.fullUrl ?? ''),
      request: one.request,
    })),
  };
}

/** Each entry has its own address: two with one address, or one with that of a record, would make references mean something else. */
function urlOfCreated(entry: ExtractedEntry, ...ours: (ExtractedEntry | undefined)[]): string {
  return ours.includes(entry) ? entry.fullUrl : (entry.request.ifNoneExist ?? '').replace(/^[^|]*\|/, '');
}

function ownResource(
  { id: _, ...resource }: ExtractedEntry['resource'],
  fullUrl: string,
  urls: ReadonlyMap<string, string>,
  patientUrl: string,
): ExtractedEntry['resource'] {
  const { resourceType } = resource;
  if (resourceType === 'QuestionnaireResponse') return withOwnReferences(resource, urls);
  const mark = uuidIdentifier(fullUrl.replace(/^urn:uuid:/, ''));
  if (resourceType === 'Patient') {
    const { link: __, ...patient } = resource;
    return { ...withOwnReferences(patient, urls), resourceType, identifier: [mark] };
  }
  const others = listOf(resource['identifier']).filter((one) => isRecord(one) && one['system'] !== mark.system);
  const own: ExtractedEntry['resource'] = withOwnReferences({ ...resource, identifier: [...others, mark] }, urls);
  // Whom it is about: somebody in this bundle, else the patient of the form.
  for (const field of ['subject', 'patient'])
    if (isRecord(resource[field]) && !hasReference(own[field])) own[field] = { reference: patientUrl };
  return own;
}

const hasReference = (value: unknown): boolean => isRecord(value) && typeof value['reference'] === 'string';

function replaceUrl(node: unknown, from: string, to: string): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'reference' && value === from) (node as Record<string, unknown>)[name] = to;
    else replaceUrl(value, from, to);
  }
}
