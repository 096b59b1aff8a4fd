import type { Language } from '#contract/refusals.ts';
import { evaluate, keyOf, mostRepeats, type Evaluation, type Indices, type Setting } from './evaluation.ts';
import { formOf, wordsOf, type Form, type FormItem } from './form.ts';
import type { Questionnaire } from './questionnaire.ts';
import { isSame, saidIn, type Answers, type Value } from './values.ts';

/** An item as it stands on the screen; the same object as long as the questionnaire is, so a screen can skip what did not change. */
export interface VisibleItem {
  /** One for each place on the screen. */
  id: string;
  /** Where its answers are kept. */
  key: string;
  item: FormItem;
  indices: Indices;
  /** How deep it is nested: 0 at the top. */
  level: number;
  /** Which repetition of a repeating group this is the head of, from 0. */
  repetition?: number;
}

const standing = new WeakMap<Form, Map<string, VisibleItem>>();

function standingAt(form: Form, item: FormItem, indices: Indices, level: number, repetition?: number): VisibleItem {
  let known = standing.get(form);
  if (!known) standing.set(form, (known = new Map()));
  const key = keyOf(item, indices);
  const id = repetition === undefined ? key : `${key}#${indices.length}:${repetition}`;
  let found = known.get(id);
  if (found?.item !== item) {
    found = { id, key, item, indices, level, ...(repetition !== undefined && { repetition }) };
    known.set(id, found);
  }
  return found;
}

/** Everything that is asked or shown with these answers, in order; hidden items and those whose conditions do not hold are left out. */
export function visibleItems(questionnaire: Questionnaire, answers: Answers, setting?: Setting): VisibleItem[] {
  return enabledItems(evaluate(questionnaire, answers, setting), true);
}

/** As `visibleItems`; without `onlyShown` also what is kept and calculated but never shown. */
export function enabledItems(evaluation: Evaluation, onlyShown: boolean): VisibleItem[] {
  const { form } = evaluation;
  const found: VisibleItem[] = [];
  function walk(items: readonly FormItem[], indices: Indices, level: number): void {
    for (const item of items) {
      if ((onlyShown && item.hidden) || !evaluation.isEnabled(item, indices)) continue;
      if (item.type === 'group' && item.repeats) {
        const count = evaluation.countOf(item, indices);
        for (let i = 0; i < count; i++) {
          found.push(standingAt(form, item, indices, level, i));
          walk(item.children, [...indices, i], level + 1);
        }
        continue;
      }
      found.push(standingAt(form, item, indices, level));
      if (item.children.length > 0) walkBelow(item, indices, level + 1);
    }
  }
  function walkBelow(item: FormItem, indices: Indices, level: number): void {
    if (!item.isQuestion || !item.repeats) return walk(item.children, indices, level);
    const notes = item.children.filter(({ type }) => type === 'display');
    const followUps = item.children.filter(({ type }) => type !== 'display');
    walk(notes, indices, level);
    if (followUps.length > 0) evaluation.said(item, indices).forEach((_, i) => walk(followUps, [...indices, i], level));
  }
  walk(form.items, [], 0);
  return found;
}

/** What a form starts with: initial values, preselected options, and as many repetitions as a group must have. */
export function initialAnswers(questionnaire: Questionnaire): Answers {
  const answers: Record<string, readonly Value[]> = {};
  for (const item of formOf(questionnaire).all) {
    if (item.initial.length > 0 && item.within.length === 0)
      answers[keyOf(item, [])] = item.repeats ? item.initial : item.initial.slice(0, 1);
  }
  return answers;
}

/** The answers after one item was answered anew; choosing 'None of these' unchooses the rest, and choosing another unchooses it. */
export function withAnswer(
  answers: Answers,
  place: Pick<VisibleItem, 'item' | 'key'>,
  values: readonly Value[],
): Answers {
  const { item, key } = place;
  const before = Object.hasOwn(answers, key) ? (answers[key] ?? []) : [];
  const said = item.options.some(({ exclusive }) => exclusive) ? withoutExcluded(item, before, values) : values;
  const { [key]: _, ...others } = answers;
  return said.length === 0 ? others : { ...others, [key]: item.repeats ? said : said.slice(-1) };
}

function withoutExcluded(item: FormItem, before: readonly Value[], values: readonly Value[]): readonly Value[] {
  const isExclusive = (value: Value) => item.options.some((option) => option.exclusive && isSame(option.value, value));
  const added = values.find((value) => isExclusive(value) && !before.some((one) => isSame(one, value)));
  if (added !== undefined) return [added];
  const rest = values.filter((value) => !isExclusive(value));
  return rest.length > 0 ? rest : values;
}

/** The answers with one more repetition of that group, empty or with its initial values. */
export function withRepetition(answers: Answers, group: VisibleItem, count: number): Answers {
  const wanted = Math.min(count + 1, group.item.maxOccurs, mostRepeats);
  const added: Record<string, readonly Value[]> = {};
  const start = (item: FormItem) => {
    if (item.initial.length > 0 && item.within.length === group.indices.length + 1)
      added[keyOf(item, [...group.indices, count])] = item.repeats ? item.initial : item.initial.slice(0, 1);
    item.children.forEach(start);
  };
  if (wanted > count) group.item.children.forEach(start);
  return { ...answers, ...added, [group.key]: [wanted] };
}

/** The answers without one repetition (of a group, or of a repeating question's answer): those after it move up, all they hold with them. */
export function withoutRepetition(answers: Answers, place: VisibleItem, repetition: number, count: number): Answers {
  const { item, key, indices } = place;
  const kept: Record<string, readonly Value[]> = { ...answers };
  const depth = indices.length;
  const below = (one: FormItem): FormItem[] => [one, ...one.children.flatMap(below)];
  const names = item.children.flatMap(below).filter((one) => one.within[depth] === item);
  for (const { linkId } of names) {
    const start = `${linkId.replaceAll('#', '##')}#`;
    const ofThis = Object.keys(answers).filter(
      (one) => one.startsWith(start) && /^[\d.]+$/.test(one.slice(start.length)),
    );
    for (const one of ofThis) delete kept[one];
    for (const one of ofThis) {
      const place = one.slice(start.length).split('.').map(Number);
      const isHere = indices.every((index, i) => place[i] === index);
      const at = place[depth] ?? 0;
      if (isHere && at === repetition) continue;
      if (isHere && at > repetition) place[depth] = at - 1;
      kept[start + place.join('.')] = answers[one] ?? [];
    }
  }
  if (item.isQuestion) {
    const rest = saidIn(answers[key]).filter((_, i) => i !== repetition);
    if (rest.length > 0) kept[key] = rest;
    else delete kept[key];
  } else kept[key] = [Math.max(count - 1, 1)];
  return kept;
}

/** The keys whose answers differ: what a step has to save. */
export function changedAnswers(before: Answers, after: Answers): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => {
    const [one = [], other = []] = [before[key], after[key]];
    return one !== other && JSON.stringify(one) !== JSON.stringify(other);
  });
}

/** The answers of what is asked: nothing of hidden questions, no blank ones, nothing that belongs to no item. */
export function askedAnswers(questionnaire: Questionnaire, answers: Answers, setting?: Setting): Answers {
  const evaluation = evaluate(questionnaire, answers, setting);
  const asked: Record<string, readonly Value[]> = {};
  for (const { item, key, indices, repetition } of enabledItems(evaluation, false)) {
    if (repetition !== undefined) asked[key] = [evaluation.countOf(item, indices)];
    else if (item.isQuestion) {
      const said = evaluation.said(item, indices);
      if (said.length > 0) asked[key] = said;
    }
  }
  return asked;
}

/** One page on the phone. */
export interface Page {
  /** The id of its first item; stays the same while that item is there. */
  id: string;
  /** The group it comes from; undefined for questions that stand alone. */
  group: FormItem | undefined;
  items: VisibleItem[];
}

/** How much fits on one page: a question counts 1, one with many answers to read 2, a photo or signature 3. */
const pageWeight = 8;

function weightOf({ item }: VisibleItem): number {
  if (!item.isQuestion) return 0;
  if (item.type === 'attachment') return 3;
  return item.options.length > 3 || item.type === 'text' ? 2 : 1;
}

/**
 * The form cut into pages for a phone: a top-level group is a page, a long one several, a question outside groups has one for itself.
 * Words to read go with what follows them, follow-ups stay with their question, and a page with nothing on it does not exist.
 */
export function pagesOf(questionnaire: Questionnaire, answers: Answers, setting?: Setting): Page[] {
  const pages: Page[] = [];
  let words: VisibleItem[] = [];
  for (const family of families(visibleItems(questionnaire, answers, setting), 0)) {
    if (family.every((one) => one.item.type === 'display')) words.push(...family);
    else {
      const group = family[0]?.item.type === 'group' ? family[0].item : undefined;
      if (group && !family.some((one) => isShownAlone(one.item))) continue;
      for (const [i, items] of (group ? portions(family) : [family]).entries())
        addPage(pages, group, i === 0 ? [...words, ...items] : items);
      words = [];
    }
  }
  if (words.length > 0) {
    const last = pages.at(-1);
    if (last) last.items.push(...words);
    else addPage(pages, undefined, words);
  }
  return pages;
}

const isShownAlone = ({ type }: FormItem) => type !== 'group';

function addPage(pages: Page[], group: FormItem | undefined, items: VisibleItem[]): void {
  const [first] = items;
  if (first) pages.push({ id: first.id, group, items });
}

/** Items with all that is nested in them, for each item at that level. */
function families(items: readonly VisibleItem[], level: number): VisibleItem[][] {
  const found: VisibleItem[][] = [];
  for (const one of items) {
    if (one.level <= level || found.length === 0) found.push([one]);
    else found.at(-1)?.push(one);
  }
  return found;
}

/** A group cut where a page would grow too long: between its members, and inside a member only when that alone is too long. */
function portions([head, ...rest]: readonly VisibleItem[]): VisibleItem[][] {
  if (!head) return [];
  const parts: VisibleItem[][] = [[head]];
  let weight = 0;
  for (const family of families(rest, head.level + 1)) {
    const own = family.reduce((sum, one) => sum + weightOf(one), 0);
    const isLongGroup = own > pageWeight && family[0]?.item.type === 'group';
    for (const part of isLongGroup ? portions(family) : [family]) {
      const added = isLongGroup ? part.reduce((sum, one) => sum + weightOf(one), 0) : own;
      if (weight > 0 && added > 0 && weight + added > pageWeight) {
        parts.push([]);
        weight = 0;
      }
      parts.at(-1)?.push(...part);
      weight += added;
    }
  }
  return parts;
}

/** A page's title in that language: its group's words; empty for a question that stands alone. */
export function pageTitleOf(page: Page, language: Language): string {
  return page.group ? wordsOf(page.group, language) : '';
}
