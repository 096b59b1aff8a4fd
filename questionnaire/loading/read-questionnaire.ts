import { flawOf, mended } from './json-safety.ts';
import { limits, operators, type Questionnaire } from '#questionnaire/questionnaire.ts';
import { concept, enableWhen, extension, item, option, questionnaire, type Kind, type Shape } from './fhir-fields.ts';

/** Something about a loaded questionnaire that a person should know: an error keeps it from being used. */
export interface Finding {
  code: FindingCode;
  severity: 'error' | 'warning';
  /** Where in the file, as `item[2].enableWhen[0].question`; empty for the whole of it. */
  place: string;
  linkId?: string;
  /** What the words need: a type, a linkId, a number, an address. */
  detail?: string;
}

export type FindingCode =
  | 'not_json'
  | 'not_a_questionnaire'
  | 'too_big'
  | 'too_many_items'
  | 'too_deep'
  | 'too_many_options'
  | 'too_many_options_in_all'
  | 'too_many_positions'
  | 'too_many_repetitions'
  | 'text_too_long'
  | 'text_broken'
  | 'wrong_shape'
  | 'no_items'
  | 'link_id_missing'
  | 'link_id_twice'
  | 'link_id_reserved'
  | 'type_missing'
  | 'type_unknown'
  | 'other_version'
  | 'text_missing'
  | 'condition_without_question'
  | 'condition_question_missing'
  | 'condition_operator_wrong'
  | 'condition_answer_missing'
  | 'condition_answer_wrong_type'
  | 'condition_on_itself'
  | 'conditions_in_a_circle'
  | 'behavior_missing'
  | 'value_set_elsewhere'
  | 'value_set_missing'
  | 'choice_without_options'
  | 'option_twice'
  | 'options_not_used'
  | 'group_without_items'
  | 'display_with_items'
  | 'initial_wrong'
  | 'pattern_not_understood'
  | 'pattern_too_large'
  | 'range_empty'
  | 'occurs_empty'
  | 'extension_not_known'
  | 'expression_language'
  | 'expression_too_large'
  | 'expression_endless'
  | 'expression_result_too_large'
  | 'expression_not_understood'
  | 'takes_too_long'
  | 'not_translated';

/** What other versions of FHIR write, and which version it is that writes so. */
const otherVersions: Readonly<Record<string, string>> = {
  option: 'STU3',
  options: 'STU3',
  hasAnswer: 'STU3',
  group: 'DSTU2',
  question: 'DSTU2',
  answerConstraint: 'R5',
  disabledDisplay: 'R5',
  versionAlgorithmString: 'R5',
  versionAlgorithmCoding: 'R5',
  copyrightLabel: 'R5',
};
const harmlessInR4 = new Set(['versionAlgorithmString', 'versionAlgorithmCoding', 'copyrightLabel']);
const knownOperators: readonly string[] = operators;

/**
 * Reads a questionnaire from its text or its parsed JSON: every field of a right shape is kept, every field of a wrong one is left
 * out and found. Null when it is no questionnaire at all; whatever it is given, it does not throw.
 */
export function readQuestionnaire(input: unknown): { questionnaire: Questionnaire | null; findings: Finding[] } {
  const findings: Finding[] = [];
  const find = (code: FindingCode, severity: Finding['severity'], place = '', detail?: string, linkId?: string) => {
    if (findings.length < 500)
      findings.push({ code, severity, place, ...(detail && { detail }), ...(linkId && { linkId }) });
  };
  const none = (code: FindingCode, detail?: string) => {
    find(code, 'error', '', detail);
    return { questionnaire: null, findings };
  };
  let json = input;
  if (typeof input === 'string') {
    if (input.length > limits.bytes) return none('too_big', String(limits.bytes / 1_000_000));
    try {
      json = JSON.parse(input.replace(/^\uFEFF/, ''));
    } catch (error) {
      return none('not_json', error instanceof Error ? error.message.slice(0, 200) : undefined);
    }
  }
  const root = unbundled(json);
  if (!isObject(root) || root['resourceType'] !== 'Questionnaire') {
    const other = isObject(root) && typeof root['resourceType'] === 'string' ? root['resourceType'] : undefined;
    return none('not_a_questionnaire', other?.slice(0, 100));
  }
  if (isObject(root['group'])) return none('other_version', 'DSTU2');

  let items = 0;
  let madeUp = 0;

  function readObject(
    value: Record<string, unknown>,
    shape: Shape,
    place: string,
    depth: number,
  ): Record<string, unknown> {
    const kept: Record<string, unknown> = {};
    const at = (field: string) => (place ? `${place}.${field}` : field);
    for (const field of Object.keys(value)) {
      const given = value[field];
      if (given === null || given === undefined) continue;
      const isValue = shape === extension && /^value[A-Z]\w*$/.test(field);
      const declared = isValue ? 'anything' : Object.hasOwn(shape, field) ? shape[field] : undefined;
      if (declared === undefined) {
        tellOtherVersion(field, given, shape, at(field));
        continue;
      }
      const kind = typeof declared === 'function' ? declared() : declared;
      const read = readKind(given, kind, at(field), depth);
      if (read === undefined) find('wrong_shape', 'error', at(field), nameOf(kind));
      else kept[field] = read;
    }
    return kept;
  }

  function readKind(value: unknown, kind: Kind, place: string, depth: number): unknown {
    switch (kind) {
      case 'text':
        if (typeof value === 'number' || typeof value === 'boolean') {
          find('wrong_shape', 'warning', place, 'text');
          return String(value);
        }
        if (typeof value === 'string' && value.length > limits.textLength && !place.endsWith('data')) {
          find('text_too_long', 'error', place, String(limits.textLength));
          return value.slice(0, limits.textLength);
        }
        if (typeof value !== 'string') return undefined;
        if (flawOf(value)) find('text_broken', 'error', place);
        return mended(value);
      case 'flag':
        if (value === 'true' || value === 'false') {
          find('wrong_shape', 'warning', place, 'flag');
          return value === 'true';
        }
        return typeof value === 'boolean' ? value : undefined;
      case 'number':
      case 'whole': {
        const isWritten = typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value);
        const number = isWritten ? Number(value) : value;
        const isRight = kind === 'whole' ? Number.isSafeInteger(number) : Number.isFinite(number);
        if (isWritten && isRight) find('wrong_shape', 'warning', place, kind);
        return isRight ? number : undefined;
      }
      case 'anything': {
        const flaw = flawOf(value);
        if (flaw) find(flaw, 'error', place, flaw === 'too_deep' ? String(limits.depth) : undefined);
        return flaw ? null : value;
      }
      default:
        if (isList(kind)) return readList(value, kind[0], place, depth);
        return isObject(value) ? readOne(value, kind, place, depth) : undefined;
    }
  }

  function readList(value: unknown, shape: Shape, place: string, depth: number): unknown[] | undefined {
    if (!Array.isArray(value)) {
      if (!isObject(value)) return undefined;
      find('wrong_shape', 'warning', place, 'list');
      return [readOne(value, shape, place, depth)];
    }
    let entries: unknown[] = value;
    if (shape === option || shape === concept) {
      if (entries.length > limits.options) {
        find('too_many_options', 'error', place, String(limits.options));
        entries = entries.slice(0, limits.options);
      }
    }
    const list: unknown[] = [];
    for (const [i, entry] of entries.entries()) {
      if (shape === item && items >= limits.items) {
        find('too_many_items', 'error', place, String(limits.items));
        break;
      }
      if (isObject(entry)) list.push(readOne(entry, shape, `${place}[${i}]`, depth));
      else if (entry !== null) find('wrong_shape', 'error', `${place}[${i}]`, 'object');
    }
    return list;
  }

  function readOne(
    value: Record<string, unknown>,
    shape: Shape,
    place: string,
    depth: number,
  ): Record<string, unknown> {
    const isNested = shape === item || shape === extension || shape === concept;
    if (isNested && depth >= limits.depth) {
      find('too_deep', 'error', place, String(limits.depth));
      return shape === item ? { linkId: `?${++madeUp}`, type: 'group' } : {};
    }
    if (shape === item) items += 1;
    const one = readObject(value, shape, place, isNested ? depth + 1 : depth);
    if (shape === item) completeItem(one, place);
    if (shape === extension && one['url'] === undefined) one['url'] = '';
    return one;
  }

  function completeItem(one: Record<string, unknown>, place: string): void {
    if (typeof one['linkId'] !== 'string' || one['linkId'].trim() === '') {
      one['linkId'] = `?${++madeUp}`;
      find('link_id_missing', 'error', place, undefined, one['linkId'] as string);
    }
    const linkId = one['linkId'] as string;
    // Answers are kept under it, and JSON that holds it as a field is refused.
    if (linkId === '__proto__') find('link_id_reserved', 'error', `${place}.linkId`, linkId, linkId);
    if (one['type'] === undefined) {
      one['type'] = Array.isArray(one['item']) ? 'group' : 'string';
      find('type_missing', 'error', place, undefined, linkId);
    }
    if (one['enableBehavior'] !== undefined && one['enableBehavior'] !== 'all' && one['enableBehavior'] !== 'any') {
      find('wrong_shape', 'error', `${place}.enableBehavior`, 'any_or_all', linkId);
      delete one['enableBehavior'];
    }
    const conditions = one['enableWhen'];
    if (Array.isArray(conditions)) {
      one['enableWhen'] = conditions.filter((condition: Record<string, unknown>, i) => {
        const where = `${place}.enableWhen[${i}]`;
        const { question, operator } = condition;
        if (typeof question !== 'string') find('condition_without_question', 'error', where, undefined, linkId);
        else if (typeof operator !== 'string' || !knownOperators.includes(operator))
          find('condition_operator_wrong', 'error', where, String(operator ?? ''), linkId);
        else return true;
        return false;
      });
    }
  }

  function tellOtherVersion(field: string, value: unknown, shape: Shape, place: string): void {
    if (shape !== item && shape !== enableWhen && shape !== questionnaire) return;
    const version = Object.hasOwn(otherVersions, field) ? otherVersions[field] : undefined;
    if (version) find('other_version', harmlessInR4.has(field) ? 'warning' : 'error', place, version);
    else if (shape === item && /^initial[A-Z]/.test(field)) find('other_version', 'error', place, 'STU3');
    else if (shape === item && field === 'modifierExtension' && value) find('extension_not_known', 'error', place);
  }

  const read = readObject(root, questionnaire, '', 0);
  if (!Array.isArray(read['item']) || read['item'].length === 0) find('no_items', 'error', 'item');
  return { questionnaire: read as unknown as Questionnaire, findings };
}

/** A bundle that holds exactly one questionnaire is that questionnaire. */
function unbundled(json: unknown): unknown {
  if (!isObject(json) || json['resourceType'] !== 'Bundle' || !Array.isArray(json['entry'])) return json;
  const found = json['entry']
    .map((entry: unknown) => (isObject(entry) ? entry['resource'] : undefined))
    .filter((resource) => isObject(resource) && resource['resourceType'] === 'Questionnaire');
  return found.length === 1 ? found[0] : json;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(kind: Kind): kind is readonly [Shape] {
  return Array.isArray(kind);
}

function nameOf(kind: Kind): string {
  return typeof kind === 'string' ? kind : isList(kind) ? 'list' : 'object';
}
