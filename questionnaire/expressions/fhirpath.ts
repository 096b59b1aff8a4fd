import type { Model as LibraryModel } from 'fhirpath';
import { dateTimeIn, type Clock } from '#questionnaire/expressions/office-clock.ts';
import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import { expressionFlaw, limitResults } from './expression-limits.ts';
import { pathVariable, readExpression } from './read-expression.ts';
import { needsExpressions, settleCalculations, startExpressions, type CalculationResult } from './expressions.ts';
import type { Expressions, ExpressionContext } from './expression-library.ts';
import type { Model } from '#questionnaire/extraction/model.ts';
import { formOf } from '#questionnaire/form.ts';
import { optionFor, scoreOf } from '#questionnaire/options.ts';
import { readPattern, type Pattern } from '#questionnaire/checking/pattern.ts';
import type { Coding, Questionnaire } from '#questionnaire/questionnaire.ts';
import { isCoding, type Answers } from '#questionnaire/values.ts';

/** A node of the library; `data` is its JSON. */
interface Node {
  data?: unknown;
  parentResNode?: Node | null;
}

type FhirPath = typeof import('fhirpath');
type CompiledExpression = (focus: unknown, variables: Record<string, unknown>) => unknown[];
type Resource = ExpressionContext['resource'];

/** The library with FHIR's model of R4. */
interface Library {
  fhirpath: FhirPath;
  r4: LibraryModel;
}

/** Values stay nodes of the library, which know what they are in. */
const plain = { async: false, resolveInternalTypes: false } as const;

/**
 * Loads the FHIRPath library (200 kB), so call it only if `needsExpressions`. No expression can call another server, and its patterns run in
 * linear time.
 */
export async function loadExpressions(): Promise<Expressions> {
  const [{ default: fhirpath }, { default: r4 }] = await Promise.all([
    import('fhirpath'),
    import('fhirpath/fhir-context/r4/index.js'),
  ]);
  const library: Library = { fhirpath, r4 };
  const limit = limitResults();
  const present = presentOf(library);
  const compiledOf = compiledExpressions(library, limit, present);
  const { contextAt, itemsAt } = responseNodes(library);
  const questionOf = fhirpath.compile(
    { base: 'Questionnaire.item', expression: '$this' },
    r4,
    plain,
  ) as CompiledExpression;

  function run(
    questionnaire: Questionnaire,
    expression: string,
    place: ExpressionContext,
    isVariable: boolean,
  ): unknown[] {
    const { resource, at, variables } = place;
    if (expressionFlaw(expression)) throw new Error('an expression that takes too long');
    const { template, paths, names } = readExpression(expression);
    const ready = compiledOf(questionnaire, template, isVariable);
    const context = contextAt(resource, at);
    const known: Record<string, unknown> = { ...variables, resource, rootResource: resource, questionnaire, context };
    for (const [nth, path] of paths.entries()) known[pathVariable(nth)] = itemsAt(resource, path);
    // `%factory` is the library's own; any other name that nothing defines is empty.
    for (const name of names) if (name !== 'factory') known[name] ??= terminologyName(name) ?? [];
    if (names.includes('qitem')) known['qitem'] = place.question ? questionOf(place.question, {}) : [];
    limit.begin();
    present.set(place.clock);
    return ready(context, known);
  }

  return {
    evaluate: (questionnaire, expression, place) => run(questionnaire, expression, place, false),
    variable: (questionnaire, expression, place) => run(questionnaire, expression, place, true),
    isUnderstood: createParseCheck(library),
  };
}

/** Compiles each expression of a questionnaire once, with the functions that the questionnaire gives it. */
function compiledExpressions(
  { fhirpath, r4 }: Library,
  limit: ReturnType<typeof limitResults>,
  present: ReturnType<typeof presentOf>,
) {
  const compiled = new WeakMap<Questionnaire, Map<string, CompiledExpression>>();

  function compile(questionnaire: Questionnaire, template: string, resolveInternalTypes: boolean): CompiledExpression {
    return fhirpath.compile(template, r4, {
      async: false,
      resolveInternalTypes,
      traceFn: () => undefined,
      // The library calls it after each step.
      debugger: (_ctx, _focus, result) => limit.look(result),
      userInvocationTable: {
        ...present.functions,
        ordinal: scores(questionnaire),
        weight: scores(questionnaire),
        matches: {
          fn: (texts: unknown[], pattern: string) => fits(texts, `[\\s\\S]*(?:${pattern})[\\s\\S]*`),
          arity: { 1: ['String'] },
        },
        matchesFull: { fn: fits, arity: { 1: ['String'] } },
        replaceMatches: { fn: refuse, arity: { 2: ['String', 'String'] } },
      },
    }) as CompiledExpression;
  }

  return (questionnaire: Questionnaire, text: string, isVariable: boolean): CompiledExpression => {
    let known = compiled.get(questionnaire);
    if (!known) compiled.set(questionnaire, (known = new Map()));
    const name = `${isVariable} ${text}`;
    let ready = known.get(name);
    if (!ready) known.set(name, (ready = compile(questionnaire, text, !isVariable)));
    return ready;
  };
}

/** `today()`, `now()` and `timeOfDay()` by the office's clock. The library's own are those of the machine. */
function presentOf({ fhirpath, r4 }: Library) {
  let clock: Clock = {};
  let moment: string | undefined;
  const values = new Map<string, unknown>();

  /** Only the library makes values of its types. */
  function valueOf(literal: string): unknown {
    if (values.size >= 100) values.clear();
    if (!values.has(literal)) values.set(literal, fhirpath.evaluate({}, literal, {}, r4, plain)[0]);
    return values.get(literal);
  }
  // The same in all of an expression.
  const now = () => (moment ??= dateTimeIn(clock.timeZone, clock.now === undefined ? new Date() : new Date(clock.now)));
  const call = (literal: () => string) => ({
    fn: () => [valueOf(literal())],
    arity: { 0: [] },
    internalStructures: true,
  });
  return {
    set(next: Clock): void {
      clock = next;
      moment = undefined;
    },
    functions: {
      today: call(() => `@${clock.today ?? now().slice(0, 10)}`),
      now: call(() => `@${now()}`),
      timeOfDay: call(() => `@T${now().slice(11, 23)}`),
    },
  };
}

/** Finds the places of a response that expressions start from, each once. */
function responseNodes({ fhirpath, r4 }: Library) {
  const found = new WeakMap<object, Map<string, Node[]>>();
  const itemsOf = fhirpath.compile('item', r4, plain) as CompiledExpression;

  /** What `make` found in that response before, else what it finds now. */
  function cachedNodes(resource: object, key: string, make: () => Node[]): Node[] {
    let known = found.get(resource);
    if (!known) found.set(resource, (known = new Map()));
    let nodes = known.get(key);
    if (!nodes) known.set(key, (nodes = make()));
    return nodes;
  }

  const contextAt = (resource: Resource, at: string): Node[] =>
    cachedNodes(resource, `at ${at}`, () => fhirpath.evaluate(resource, at || '$this', {}, r4, plain) as Node[]);

  /** The items of the response at the end of a path of linkIds. */
  function itemsAt(resource: Resource, path: readonly string[]): Node[] {
    const above = path.slice(0, -1);
    const parents = () => (above.length > 0 ? itemsAt(resource, above) : contextAt(resource, ''));
    const children = cachedNodes(resource, `in ${JSON.stringify(above)}`, () => itemsOf(parents(), {}) as Node[]);
    return cachedNodes(resource, `of ${JSON.stringify(path)}`, () =>
      children.filter(({ data }) => isItem(data) && data.linkId === path.at(-1)),
    );
  }

  return { contextAt, itemsAt };
}

/** Whether the library can read an expression at all; each is tried once. */
function createParseCheck({ fhirpath }: Library): (expression: string) => boolean {
  const understood = new Map<string, boolean>();
  const isParsed = (template: string): boolean => {
    try {
      fhirpath.parse(template);
      return true;
    } catch {
      return false;
    }
  };
  return (expression) => {
    const { template } = readExpression(expression);
    let known = understood.get(template);
    if (known === undefined) understood.set(template, (known = isParsed(template)));
    return known;
  };
}

/** The library's model of FHIR R4: which elements a type has, and their types. */
export async function loadModel(): Promise<Model> {
  const { default: r4 } = await import('fhirpath/fhir-context/r4/index.js');
  return r4 as unknown as Model;
}

/** The addresses behind `%loinc`, `%\`vs-name\`` and others that FHIR defines. */
function terminologyName(name: string): string | undefined {
  const known: Record<string, string> = {
    sct: 'http://snomed.info/sct',
    loinc: 'http://loinc.org',
    ucum: 'http://unitsofmeasure.org',
  };
  if (Object.hasOwn(known, name)) return known[name];
  if (name.startsWith('vs-')) return `http://hl7.org/fhir/ValueSet/${name.slice(3)}`;
  return name.startsWith('ext-') ? `http://hl7.org/fhir/StructureDefinition/${name.slice(4)}` : undefined;
}

let loading: Promise<Expressions> | undefined;

/**
 * Adds everything the questionnaire calculates, and returns the setting to evaluate the answers with. Call it before answers are checked,
 * filed or shown. The library is fetched once, and only for a questionnaire that calculates.
 */
export async function calculateAnswers(
  questionnaire: Questionnaire,
  answers: Answers,
  setting: EvaluationContext = {},
): Promise<CalculationResult> {
  if (!needsExpressions(questionnaire)) return { answers, setting, failed: [], isTooLarge: false };
  loading ??= loadExpressions();
  return settleCalculations(questionnaire, answers, await loading, setting);
}

/** The answers that a form begins with, and the results of its `initialExpression`s. */
export async function beginAnswers(
  questionnaire: Questionnaire,
  answers: Answers,
  setting: EvaluationContext = {},
): Promise<Answers> {
  if (!formOf(questionnaire).all.some(({ initialBy }) => initialBy !== undefined)) return answers;
  loading ??= loadExpressions();
  return startExpressions(questionnaire, answers, await loading, setting);
}

function refuse(): never {
  throw new Error('not supported');
}

const patterns = new Map<string, Pattern | null>();

function fits(texts: readonly unknown[], source: string): boolean[] {
  let pattern = patterns.get(source);
  if (pattern === undefined) {
    if (patterns.size >= 100) patterns.clear();
    patterns.set(source, (pattern = readPattern(source)));
  }
  const known = pattern ?? refuse();
  return texts.filter((text) => typeof text === 'string').map((text) => known(text.slice(0, 2000)) ?? refuse());
}

/** The score of a chosen option in its own question: the same code may count differently in another one. */
function scores(questionnaire: Questionnaire) {
  const { byLinkId } = formOf(questionnaire);
  const scoreAt = (node: Node): number[] => {
    const value = codingAt(node.data);
    let above: Node | null | undefined = node;
    while (above && !isItem(above.data)) above = above.parentResNode;
    const linkId = isItem(above?.data) ? above.data.linkId : '';
    const score = optionFor(byLinkId.get(linkId)?.options ?? [], value)?.score ?? scoreOf(value);
    return score === undefined ? [] : [score];
  };
  return { fn: (nodes: Node[]) => nodes.flatMap(scoreAt), arity: { 0: [] }, internalStructures: true };
}

function codingAt(data: unknown): Coding | undefined {
  if (isCoding(data)) return data;
  const inside = (data as { valueCoding?: unknown } | null | undefined)?.valueCoding;
  return isCoding(inside) ? inside : undefined;
}

function isItem(data: unknown): data is { linkId: string } {
  return typeof (data as { linkId?: unknown } | null | undefined)?.linkId === 'string';
}
