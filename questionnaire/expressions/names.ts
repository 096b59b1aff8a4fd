import { expressionOf, extensionOf, extensionsOf, urls } from '#questionnaire/extensions.ts';
import type { Form } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { launchKind, launchNames } from './launch-context.ts';
import { readExpression, type Reads } from './read-expression.ts';

/** What an environment variable (`%name`) stands for. */
export interface NamedExpression {
  name: string;
  expression: string;
  /** The item whose variable or calculation it is; undefined for a variable of the questionnaire itself. */
  owner: FormItem | undefined;
  /** Its place among its owner's variables: it can use those before it. Infinity for an item's calculation. */
  position: number;
}

/** The variables and the named expressions of a form. */
export interface Names {
  /** What a name means in an expression of that item; `before` for a variable of it, which uses those before it first. */
  find(name: string, item: FormItem | undefined, before?: number): NamedExpression | undefined;
  /** Whether the questionnaire defines the name, although in a language that is not evaluated. */
  isForeign(name: string): boolean;
  /** Whether it is declared as what the form is opened with (`launchContext`), and whether that is known at a visit. */
  launch(name: string): 'known' | 'unknown' | undefined;
}

/** The names that every expression can use. */
const builtInNames = new Set(['resource', 'rootResource', 'context', 'questionnaire', 'qitem', 'ucum', 'sct', 'loinc']);

const isBuiltIn = (name: string): boolean => builtInNames.has(name) || name === 'factory' || /^(?:vs|ext)-/.test(name);

const namesOfForms = new WeakMap<Form, Names>();

/** The names of a form, collected once. */
export function namesOf(form: Form): Names {
  let names = namesOfForms.get(form);
  if (!names) namesOfForms.set(form, (names = collectNames(form)));
  return names;
}

function collectNames({ questionnaire, all }: Form): Names {
  const variables = new Map<FormItem | undefined, NamedExpression[]>();
  const calculations = new Map<string, NamedExpression>();
  const foreign = new Set<string>();
  for (const owner of [undefined, ...all]) {
    const element = owner?.source ?? questionnaire;
    const own: NamedExpression[] = [];
    for (const extension of extensionsOf(element, urls.variable)) {
      const { name, expression } = expressionOf(extension) ?? {};
      if (name !== undefined && expression !== undefined) own.push({ name, expression, owner, position: own.length });
      else addForeign(extension['valueExpression'], foreign);
    }
    if (own.length > 0) variables.set(owner, own);
    for (const url of owner ? [urls.calculated, urls.enabledBy, urls.initialBy] : []) {
      const { name, expression } = expressionOf(extensionOf(element, url)) ?? {};
      if (name !== undefined && expression !== undefined && !calculations.has(name))
        calculations.set(name, { name, expression, owner, position: Infinity });
    }
  }
  const find: Names['find'] = (name, item, before = Infinity) => {
    const own = variables.get(item)?.filter((one) => one.name === name) ?? [];
    const earlier = own.findLast(({ position }) => position < before);
    if (earlier) return earlier;
    const outer = item ? find(name, item.parent) : calculations.get(name);
    return outer ?? own.find(({ position }) => position > before);
  };
  const declared = launchNames(questionnaire);
  const launch: Names['launch'] = (name) => {
    const types = declared.get(name);
    return types && (launchKind(name, types) ? 'known' : 'unknown');
  };
  return { find, isForeign: (name) => foreign.has(name), launch };
}

function addForeign(value: unknown, foreign: Set<string>): void {
  const { name } = (value ?? {}) as { name?: unknown };
  if (typeof name === 'string') foreign.add(name);
}

/** The names in an expression that are empty: nothing defines them, or they are declared and not known at a visit. */
export function emptyNames(form: Form, item: FormItem | undefined, expression: string) {
  const names = namesOf(form);
  const open = readExpression(expression).names.filter(
    (name) => !isBuiltIn(name) && !names.isForeign(name) && !names.find(name, item),
  );
  return {
    undefined: open.filter((name) => names.launch(name) === undefined),
    notKnown: open.filter((name) => names.launch(name) === 'unknown'),
  };
}

/**
 * Which answers an expression of that item reads, also through the variables it uses. The context of a calculation is what is around its
 * item, which counts as everything; that of a constraint is the item itself.
 */
export function readsOf(
  form: Form,
  item: FormItem | undefined,
  expression: string,
  context: 'around' | 'item' = 'around',
): Reads {
  const linkIds = new Set<string>();
  const prefixes = new Set<string>();
  let all = false;
  const names = namesOf(form);
  const seen = new Set<NamedExpression>();
  const collect = (owner: FormItem | undefined, text: string, before: number, isItself = false) => {
    const { reads, names: used } = readExpression(text);
    for (const linkId of reads.linkIds) linkIds.add(linkId);
    for (const prefix of reads.prefixes) prefixes.add(prefix);
    all ||= reads.all || (reads.context && !isItself);
    for (const name of used) {
      const found = names.find(name, owner, before);
      if (!found || seen.has(found)) continue;
      seen.add(found);
      collect(found.owner, found.expression, found.position);
    }
  };
  const isItself = context === 'item' && item !== undefined;
  if (isItself) addWithin(item, linkIds);
  collect(item, expression, Infinity, isItself);
  return { linkIds, prefixes, all, context: false };
}

/** Adds an item and everything below it. */
function addWithin(item: FormItem, linkIds: Set<string>): void {
  linkIds.add(item.linkId);
  for (const child of item.children) addWithin(child, linkIds);
}
