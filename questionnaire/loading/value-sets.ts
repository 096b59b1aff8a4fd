import { textOf, urls } from '#questionnaire/extensions.ts';
import {
  limits,
  type Concept,
  type Item,
  type Questionnaire,
  type ValueSet,
  type ValueSetPart,
} from '#questionnaire/questionnaire.ts';
import { filterTest, readCodeSystem, type CodeSystem, type CodeSystemFields } from './code-systems.ts';
import { codeSystem as codeSystemShape, valueSet as valueSetShape } from './fhir-fields.ts';
import type { FindingCode } from './findings.ts';
import { readFields } from './read-fields.ts';
import { isObject, type ReadContext } from './read-context.ts';

/** Why a value set has no list of answers. */
interface ExpansionFailure {
  code: FindingCode;
  cause: string;
}

/** What somebody outside the file says about a value set, such as a terminology server: its answers, or why there are none. */
export type SuppliedValueSet = { reference: string } & (
  | { concepts: Concept[] }
  | { failure: 'value_set_not_reached' | 'value_set_not_listed' | 'value_set_not_asked' }
);

interface ExpansionOutcome {
  failures: Map<string, ExpansionFailure>;
  missing: Set<string>;
}

const expandedForms = new WeakMap<Questionnaire, ExpansionOutcome>();

/** Why the value set that an item refers to has no list; undefined if it has one, or is not in the file. */
export function expansionFailure(questionnaire: Questionnaire, reference: string): ExpansionFailure | undefined {
  return expandedForms.get(questionnaire)?.failures.get(reference);
}

/** The value sets, by their canonical addresses, that the file does not have or cannot expand: each can be supplied. */
export function missingValueSets(questionnaire: Questionnaire): string[] {
  return [...(expandedForms.get(questionnaire)?.missing ?? [])];
}

/** A value set or a code system of the bundle around a questionnaire, unread. */
export interface BundledResource {
  fields: Record<string, unknown>;
  fullUrl: string | undefined;
  place: string;
}

/** The value sets and code systems of a bundle. */
export function terminologyIn(bundle: unknown): BundledResource[] {
  const entries = isObject(bundle) && bundle['resourceType'] === 'Bundle' ? bundle['entry'] : [];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, i): BundledResource[] => {
    const fields = isObject(entry) ? entry['resource'] : undefined;
    if (!isObject(entry) || !isObject(fields)) return [];
    if (fields['resourceType'] !== 'ValueSet' && fields['resourceType'] !== 'CodeSystem') return [];
    const fullUrl = typeof entry['fullUrl'] === 'string' ? entry['fullUrl'] : undefined;
    return [{ fields, fullUrl, place: `entry[${i}].resource` }];
  });
}

/**
 * Gives each value set that an item uses its list of answers, so that phone, server and PDF only read lists: from its own expansion, from
 * the code systems and value sets in the file, or from what was supplied with it. One that cannot be expanded completely keeps no list at all: half of one would mislead.
 */
export function expandValueSets(
  questionnaire: Questionnaire,
  bundled: readonly BundledResource[],
  supplied: readonly SuppliedValueSet[],
  context: ReadContext,
): void {
  const terminology = collectTerminology(questionnaire, bundled, supplied, context);
  const contained = questionnaire.contained ?? [];
  const failures = new Map<string, ExpansionFailure>();
  const added: ValueSet[] = [];
  const lists = new Map<ValueSet, ValueSet>();
  for (const reference of referencesIn(questionnaire)) {
    const set = terminology.findSet(reference);
    if (!set) {
      const cause = terminology.supplied.get(reference);
      if (cause && 'failure' in cause) failures.set(reference, { code: cause.failure, cause: '' });
      continue;
    }
    const expanded = isListed(set, terminology) ? undefined : expand(set, terminology, []);
    if (expanded && 'code' in expanded) failures.set(reference, expanded);
    const listed = lists.get(set) ?? (expanded ? withList(set, 'code' in expanded ? [] : expanded) : set);
    lists.set(set, listed);
    if (!contained.includes(set)) added.push({ ...listed, url: withoutVersion(reference) });
  }
  for (const [at, resource] of contained.entries()) contained[at] = lists.get(resource) ?? resource;
  // The lists are in the value sets now.
  for (const resource of contained as (ValueSet & { concept?: unknown })[]) delete resource.concept;
  if (added.length > 0) questionnaire.contained = [...contained, ...added];
  expandedForms.set(questionnaire, { failures, missing: terminology.missing });
}

interface Terminology {
  findSet(reference: string): ValueSet | undefined;
  findSystem(url: string, version: string | undefined): CodeSystem | undefined;
  supplied: ReadonlyMap<string, SuppliedValueSet>;
  /** The names of sets that were looked for and not found, or could not be expanded. */
  missing: Set<string>;
  /** What was found in each set that was expanded. */
  expansions: Map<ValueSet, Concept[] | ExpansionFailure>;
}

/** The value sets and code systems in the file, by the names they are referred to. A bundled one is read when something uses it. */
function collectTerminology(
  questionnaire: Questionnaire,
  bundled: readonly BundledResource[],
  supplied: readonly SuppliedValueSet[],
  context: ReadContext,
): Terminology {
  const sets = new Map<string, () => ValueSet>();
  const systems = new Map<string, () => CodeSystem | undefined>();
  // Only what the patient sees decides whether a form can be used.
  const bundleContext: ReadContext = {
    ...context,
    report: (code, _severity, place, detail) => context.report(code, 'warning', place, detail),
  };
  const addSet = (names: readonly unknown[], read: () => ValueSet) => {
    for (const name of names) if (typeof name === 'string' && name !== '' && !sets.has(name)) sets.set(name, read);
  };
  const addSystem = (url: unknown, version: unknown, read: () => CodeSystem | undefined) => {
    if (typeof url !== 'string') return;
    if (typeof version === 'string') systems.set(`${url}|${version}`, read);
    if (!systems.has(url)) systems.set(url, read);
  };
  for (const resource of questionnaire.contained ?? []) {
    const { resourceType, id, url } = resource;
    if (resourceType === 'ValueSet')
      addSet([id?.startsWith('#') ? id : id !== undefined && `#${id}`, url], () => resource);
    const fields = resource as CodeSystemFields;
    if (resourceType === 'CodeSystem')
      addSystem(
        url,
        fields.version,
        once(() => readCodeSystem(fields)),
      );
  }
  for (const { fields, fullUrl, place } of bundled) {
    const { resourceType, id, url, version } = fields;
    const read = (shape: typeof valueSetShape) => readFields(fields, shape, place, 0, bundleContext) as unknown;
    if (resourceType === 'ValueSet') {
      const names = [`${String(url)}|${String(version)}`, url, fullUrl, typeof id === 'string' && `ValueSet/${id}`];
      addSet(
        names,
        once(() => read(valueSetShape) as ValueSet),
      );
    } else
      addSystem(
        url,
        version,
        once(() => readCodeSystem(read(codeSystemShape) as CodeSystemFields)),
      );
  }
  for (const one of supplied)
    if ('concepts' in one)
      addSet(
        [one.reference],
        once(() => suppliedSet(one)),
      );
  const missing = new Set<string>();
  return {
    findSet: (reference) => {
      const found = (sets.get(reference) ?? sets.get(withoutVersion(reference)))?.();
      if (!found && !reference.startsWith('#')) missing.add(reference);
      return found;
    },
    findSystem: (url, version) => (systems.get(`${url}|${version ?? ''}`) ?? systems.get(url))?.(),
    supplied: new Map(supplied.map((one) => [one.reference, one])),
    missing,
    expansions: new Map(),
  };
}

const suppliedSet = ({ reference, concepts }: { reference: string; concepts: Concept[] }): ValueSet => ({
  resourceType: 'ValueSet',
  url: withoutVersion(reference),
  expansion: { contains: concepts },
});

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const withoutVersion = (reference: string) =>
  reference.startsWith('#') ? reference : (reference.split('|')[0] ?? reference);

/** The value sets that items refer to, each once. */
function referencesIn(questionnaire: Questionnaire): Set<string> {
  const references = new Set<string>();
  const walk = (items: readonly Item[]) => {
    for (const item of items) {
      const units = textOf(item, urls.unitValueSet);
      if (item.answerValueSet) references.add(item.answerValueSet);
      if (units) references.add(units);
      walk(item.item ?? []);
    }
  };
  walk(questionnaire.item ?? []);
  return references;
}

/** Whether a set lists its answers as they are shown: nothing has to be looked up. */
function isListed({ compose, expansion }: ValueSet, { findSystem }: Terminology): boolean {
  if (expansion?.contains?.length) return true;
  const { include = [], exclude = [] } = compose ?? {};
  const isPlain = ({ system, version, concept = [], filter = [], valueSet }: ValueSetPart) =>
    concept.length > 0 &&
    filter.length === 0 &&
    valueSet === undefined &&
    (concept.every(({ display }) => display !== undefined) || !findSystem(system ?? '', version));
  return include.length > 0 && exclude.length === 0 && include.every(isPlain);
}

function withList({ compose: _, expansion: __, ...set }: ValueSet, contains: Concept[]): ValueSet {
  return { ...set, expansion: { contains } };
}

/** The concepts of a set, in its order and each once; or why they are not known. */
function expand(set: ValueSet, terminology: Terminology, above: readonly ValueSet[]): Concept[] | ExpansionFailure {
  if (above.includes(set)) return { code: 'value_set_circle', cause: nameOf(set) };
  const known = terminology.expansions.get(set);
  if (known) return known;
  const own = set.expansion?.contains?.length ? flat(set.expansion.contains) : compose(set, terminology, above);
  const found = 'code' in own ? (suppliedFor(set, own, terminology) ?? own) : own;
  terminology.expansions.set(set, found);
  return found;
}

/** The answers supplied for a set in the file whose code system is not there, or whose filter cannot be evaluated here. */
function suppliedFor({ url }: ValueSet, { code }: ExpansionFailure, terminology: Terminology): Concept[] | undefined {
  if (url === undefined || (code !== 'code_system_missing' && code !== 'value_set_filter')) return undefined;
  const supplied = terminology.supplied.get(url);
  if (!supplied) terminology.missing.add(url);
  return supplied && 'concepts' in supplied ? supplied.concepts : undefined;
}

/** What a set includes without what it excludes. */
function compose(set: ValueSet, terminology: Terminology, above: readonly ValueSet[]): Concept[] | ExpansionFailure {
  const concepts = new Map<string, Concept>();
  const included = (set.compose?.include ?? []).map((part) => conceptsOfPart(part, terminology, [...above, set]));
  for (const found of included) {
    if ('code' in found) return found;
    for (const concept of found) if (!concepts.has(keyOf(concept))) concepts.set(keyOf(concept), concept);
  }
  for (const part of set.compose?.exclude ?? []) {
    const found = conceptsOfPart(part, terminology, [...above, set]);
    if ('code' in found) return found;
    for (const concept of found) concepts.delete(keyOf(concept));
  }
  if (concepts.size === 0) return { code: 'value_set_empty', cause: '' };
  if (concepts.size > limits.options) return { code: 'value_set_too_large', cause: String(concepts.size) };
  return [...concepts.values()];
}

const nameOf = ({ url, id }: ValueSet) => url ?? `#${id ?? ''}`;
const keyOf = ({ system = '', code = '' }: Concept) => `${system}|${code}`;

function flat(concepts: readonly Concept[]): Concept[] {
  return concepts.flatMap(({ contains = [], ...concept }) => [
    ...(concept.code === undefined || concept.abstract === true ? [] : [concept]),
    ...flat(contains),
  ]);
}

/** What one part includes or excludes: what is in its code system and in each of its value sets. */
function conceptsOfPart(
  part: ValueSetPart,
  terminology: Terminology,
  above: readonly ValueSet[],
): Concept[] | ExpansionFailure {
  const ofSystem = part.system === undefined ? undefined : conceptsOfSystem(part, part.system, terminology);
  if (ofSystem && 'code' in ofSystem) return ofSystem;
  let concepts = ofSystem;
  const names = Array.isArray(part.valueSet) ? (part.valueSet as unknown[]).map(String) : [];
  // All of them are looked for before the first that is missing ends this: `missing` shall name each.
  const sets = names.map((name) => terminology.findSet(name));
  for (const [i, imported] of sets.entries()) {
    if (!imported) return { code: 'value_set_import_missing', cause: names[i] ?? '' };
    const found = expand(imported, terminology, above);
    if ('code' in found) return found;
    const keys = new Set(found.map(keyOf));
    concepts = concepts ? concepts.filter((concept) => keys.has(keyOf(concept))) : found;
  }
  return concepts ?? [];
}

function conceptsOfSystem(
  { version, concept: listed = [], filter: filters = [] }: ValueSetPart,
  url: string,
  { findSystem }: Terminology,
): Concept[] | ExpansionFailure {
  const system = findSystem(url, version);
  if (listed.length > 0)
    return listed.map((concept) =>
      withDefinition({ ...concept, system: url }, system?.concepts.get(concept.code ?? '')?.concept),
    );
  if (!system) return { code: 'code_system_missing', cause: url };
  const tests: NonNullable<ReturnType<typeof filterTest>>[] = [];
  for (const filter of filters) {
    const test = filterTest(system, filter);
    if (!test) return { code: 'value_set_filter', cause: [filter.property, filter.op, filter.value].join(' ') };
    tests.push(test);
  }
  const fitting = [...system.concepts].filter(
    ([code, concept]) => concept.concept.abstract !== true && tests.every((test) => test(code, concept)),
  );
  return fitting.map(([, { concept }]) => concept);
}

/** A listed concept with what only its code system says: its text, its translations, what it counts. */
function withDefinition(concept: Concept, defined: Concept | undefined): Concept {
  if (!defined) return concept;
  const { display, _display, designation, extension } = defined;
  const isOwnText = concept.display !== undefined;
  return {
    ...(display !== undefined && { display }),
    ...(!isOwnText && _display && { _display }),
    ...(!isOwnText && designation && { designation }),
    ...(extension && { extension }),
    ...concept,
  };
}
