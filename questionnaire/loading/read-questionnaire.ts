import { limits, type Questionnaire } from '#questionnaire/questionnaire.ts';
import { questionnaire as questionnaireShape } from './fhir-fields.ts';
import { addFinding, type Finding, type FindingCode } from './findings.ts';
import { readFields } from './read-fields.ts';
import { isObject, type ReadContext } from './read-context.ts';
import { expandValueSets, terminologyIn, type BundledResource, type SuppliedValueSet } from './value-sets.ts';

/**
 * Reads a questionnaire from its text or its parsed JSON. Fields of the right shape are taken over; all others are left out and reported.
 * Null if it is no questionnaire at all. Never throws. `supplied` are value sets that are not in the file.
 */
export function readQuestionnaire(
  input: unknown,
  supplied: readonly SuppliedValueSet[] = [],
): { questionnaire: Questionnaire | null; findings: Finding[] } {
  const root = findRoot(input);
  if (!('fields' in root)) {
    const findings: Finding[] = [];
    addFinding(findings, { severity: 'error', place: '', ...root });
    return { questionnaire: null, findings };
  }
  const findings: Finding[] = [];
  const context: ReadContext = {
    report: (code, severity, place = '', detail = '', linkId = '') =>
      addFinding(findings, { code, severity, place, detail, linkId }),
    itemCount: 0,
    inventedLinkIds: 0,
  };
  const fields = readFields(root.fields, questionnaireShape, '', 0, context);
  if (!Array.isArray(fields['item']) || fields['item'].length === 0) context.report('no_items', 'error', 'item');
  const questionnaire = fields as unknown as Questionnaire;
  expandValueSets(questionnaire, root.terminology, supplied, context);
  return { questionnaire, findings };
}

type Root =
  | { fields: Record<string, unknown>; terminology: BundledResource[] }
  | { code: FindingCode; detail?: string };

/** The object that is the questionnaire, or why there is none. */
function findRoot(input: unknown): Root {
  let json = input;
  if (typeof input === 'string') {
    if (input.length > limits.bytes) return { code: 'too_big', detail: String(limits.bytes / 1_000_000) };
    try {
      json = JSON.parse(input.replace(/^\uFEFF/, ''));
    } catch (error) {
      return { code: 'not_json', detail: error instanceof Error ? error.message.slice(0, 200) : '' };
    }
  }
  const fields = unwrapBundle(json);
  const resourceType = isObject(fields) ? fields['resourceType'] : undefined;
  if (!isObject(fields) || resourceType !== 'Questionnaire') {
    return { code: 'not_a_questionnaire', detail: typeof resourceType === 'string' ? resourceType.slice(0, 100) : '' };
  }
  if (isObject(fields['group'])) return { code: 'other_version', detail: 'DSTU2' };
  return { fields, terminology: terminologyIn(json) };
}

/** If a bundle holds exactly one questionnaire, returns that questionnaire. */
function unwrapBundle(json: unknown): unknown {
  if (!isObject(json) || json['resourceType'] !== 'Bundle' || !Array.isArray(json['entry'])) return json;
  const questionnaires = json['entry']
    .map((entry: unknown) => (isObject(entry) ? entry['resource'] : undefined))
    .filter((resource) => isObject(resource) && resource['resourceType'] === 'Questionnaire');
  return questionnaires.length === 1 ? questionnaires[0] : json;
}
