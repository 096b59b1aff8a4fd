import { readPattern } from '#questionnaire/checking/pattern.ts';
import { urls } from '#questionnaire/extensions.ts';
import type { Coding, Concept, Extension, FhirElement, ValueSetPart } from '#questionnaire/questionnaire.ts';

/** A concept as a code system defines it. */
interface DefinedConcept extends FhirElement {
  code?: string;
  display?: string;
  _display?: FhirElement;
  designation?: { language?: string; value?: string }[];
  property?: {
    code?: string;
    valueCode?: string;
    valueString?: string;
    valueBoolean?: boolean;
    valueInteger?: number;
    valueDecimal?: number;
    valueDateTime?: string;
    valueCoding?: Coding;
  }[];
  concept?: DefinedConcept[];
}

export interface CodeSystemFields {
  url?: string;
  version?: string;
  content?: string;
  concept?: DefinedConcept[];
}

/** A code system with its concepts by their code, in the order of the file. */
export interface CodeSystem {
  url: string;
  concepts: ReadonlyMap<string, SystemConcept>;
}

interface SystemConcept {
  concept: Concept;
  /** The values of its properties, as texts. */
  properties: ReadonlyMap<string, readonly string[]>;
  parents: Set<string>;
  children: Set<string>;
}

/** The concepts of a code system; undefined if the file has only its name. */
export function readCodeSystem({ url = '', concept, content }: CodeSystemFields): CodeSystem | undefined {
  if (!concept || concept.length === 0 || content === 'not-present') return undefined;
  const concepts = new Map<string, SystemConcept>();
  const add = (defined: DefinedConcept, above: string | undefined) => {
    const { code } = defined;
    if (code === undefined) return;
    const known = concepts.get(code) ?? toSystemConcept(defined, url);
    concepts.set(code, known);
    if (above !== undefined) known.parents.add(above);
    for (const child of defined.concept ?? []) add(child, code);
  };
  for (const one of concept) add(one, undefined);
  for (const [code, { properties, parents }] of concepts) {
    for (const name of ['parent', 'subsumedBy']) for (const parent of properties.get(name) ?? []) parents.add(parent);
    for (const child of properties.get('child') ?? []) concepts.get(child)?.parents.add(code);
  }
  for (const [code, { parents }] of concepts) for (const parent of parents) concepts.get(parent)?.children.add(code);
  return { url, concepts };
}

function toSystemConcept(defined: DefinedConcept, system: string): SystemConcept {
  const { code, display, _display, designation, extension = [], property = [] } = defined;
  const properties = new Map<string, string[]>();
  for (const { code: name, valueCoding, ...values } of property) {
    if (name === undefined) continue;
    const value = valueCoding?.code ?? Object.values(values)[0];
    properties.set(name, [...(properties.get(name) ?? []), String(value)]);
  }
  const weights = weightsIn(properties, extension);
  const concept: Concept = {
    system,
    ...(code !== undefined && { code }),
    ...(display !== undefined && { display }),
    ...(_display && { _display }),
    ...(designation && { designation }),
    ...(extension.length + weights.length > 0 && { extension: [...extension, ...weights] }),
    ...(properties.get('notSelectable')?.includes('true') && { abstract: true }),
  };
  return { concept, properties, parents: new Set(), children: new Set() };
}

/** What a concept counts, if its code system says so by a property instead of an extension. */
function weightsIn(properties: ReadonlyMap<string, readonly string[]>, extension: readonly Extension[]): Extension[] {
  const known: readonly string[] = [urls.itemWeight, urls.ordinalValue];
  if (extension.some(({ url }) => known.includes(url))) return [];
  const weight = Number(properties.get('itemWeight')?.[0] ?? properties.get('ordinalValue')?.[0] ?? Number.NaN);
  return Number.isFinite(weight) ? [{ url: urls.itemWeight, valueDecimal: weight }] : [];
}

type Filter = NonNullable<ValueSetPart['filter']>[number];

/** A filter as a test of each concept; undefined if it cannot be evaluated here. */
export function filterTest(
  system: CodeSystem,
  { property = '', op = '', value = '' }: Filter,
): ((code: string, concept: SystemConcept) => boolean) | undefined {
  const isCode = property === 'concept' || property === 'code';
  if (hierarchical.has(op)) return isCode ? hierarchyTest(system, op, value) : undefined;
  const valuesOf = (code: string, { concept, properties, parents, children }: SystemConcept): readonly string[] => {
    if (isCode) return [code];
    if (property === 'display') return concept.display === undefined ? [] : [concept.display];
    if (property === 'parent') return [...parents];
    if (property === 'child') return [...children];
    return properties.get(property) ?? (flags.has(property) ? ['false'] : []);
  };
  const listed = new Set(value.split(',').map((one) => one.trim()));
  switch (op) {
    case '=':
      return (code, concept) => valuesOf(code, concept).includes(value);
    case 'in':
      return (code, concept) => valuesOf(code, concept).some((one) => listed.has(one));
    case 'not-in':
      return (code, concept) => !valuesOf(code, concept).some((one) => listed.has(one));
    case 'exists':
      return (code, concept) => valuesOf(code, concept).length > 0 === (value !== 'false');
    case 'regex': {
      const pattern = readPattern(value);
      return pattern ? (code, concept) => valuesOf(code, concept).some((one) => pattern(one) === true) : undefined;
    }
    default:
      return undefined;
  }
}

/** Properties that a concept has by not saying so. */
const flags = new Set(['inactive', 'notSelectable', 'deprecated']);
const hierarchical = new Set(['is-a', 'descendent-of', 'descendent-leaf', 'is-not-a', 'child-of', 'generalizes']);

function hierarchyTest({ concepts }: CodeSystem, op: string, of: string) {
  if (op === 'child-of') return (_: string, { parents }: SystemConcept) => parents.has(of);
  const isUpwards = op === 'generalizes';
  const family = reachedFrom(of, (code) => concepts.get(code)?.[isUpwards ? 'parents' : 'children']);
  if (op === 'is-a' || isUpwards) return (code: string) => family.has(code);
  if (op === 'is-not-a') return (code: string) => !family.has(code);
  const isLeafOnly = op === 'descendent-leaf';
  return (code: string, { children }: SystemConcept) =>
    code !== of && family.has(code) && (!isLeafOnly || children.size === 0);
}

/** A code and everything that leads on from it. */
function reachedFrom(start: string, next: (code: string) => ReadonlySet<string> | undefined): Set<string> {
  const reached = new Set([start]);
  for (const code of reached) for (const other of next(code) ?? []) reached.add(other);
  return reached;
}
