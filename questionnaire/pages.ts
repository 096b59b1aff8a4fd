import type { Language } from './language.ts';
import type { EvaluationContext } from './evaluation.ts';
import { visibleItems, type VisibleItem } from './visible-items.ts';
import { canBeAnswered, helpOf, type FormItem } from './form-item.ts';
import { formOf, type Form } from './form.ts';
import { questionText } from './form-texts.ts';
import type { Questionnaire } from './questionnaire.ts';
import type { Answers } from './values.ts';

/** One page on the phone. */
export interface Page {
  /** The id of its first item; stays the same while that item is there. */
  id: string;
  /** The top-level group; undefined for questions outside of groups. */
  group: FormItem | undefined;
  items: VisibleItem[];
}

/** How much fits on one page: a question counts 1, one with many answers to read 2, a photo or signature 3. */
const pageWeight = 8;

function weightOf(item: FormItem): number {
  if (!canBeAnswered(item)) return 0;
  if (item.type === 'attachment') return 3;
  return item.options.length > 3 || item.type === 'text' ? 2 : 1;
}

/** How much fits on a page of questions outside of groups, counted like `pageWeight`. */
const sharedPageWeight = 5;
/** A question with more options than this takes most of a phone's screen. */
const maxShortOptions = 6;

/**
 * The form cut into pages for a phone: a top-level group is a page, a long one several. Short questions outside of groups share a page, a
 * longer one has a page for itself. Texts to read begin a page with what follows them, follow-ups stay with their question, and a page
 * with nothing on it does not exist. What is calculated or read-only goes with the questions before it: a page on which nothing can be
 * done would be a dead end.
 */
export function pagesOf(questionnaire: Questionnaire, answers: Answers, setting?: EvaluationContext): Page[] {
  const pages: Page[] = [];
  const sharedPages = sharedPagesOf(formOf(questionnaire));
  /** Which shared page the last page is. */
  let lastShared: FormItem | undefined;
  let words: VisibleItem[] = [];
  for (const family of families(visibleItems(questionnaire, answers, setting), 0)) {
    if (family.every((one) => one.item.type === 'display')) words.push(...family);
    else {
      const head = family[0]?.item;
      const group = head?.type === 'group' ? head : undefined;
      if (group && !family.some((one) => isShownAlone(one.item))) continue;
      for (const part of group ? portions(family) : [family]) {
        const items = [...words, ...part];
        const before = pages.at(-1);
        const shared = head && sharedPages.get(head);
        words = [];
        if (before && (isReadOnly(part) || (shared !== undefined && shared === lastShared)))
          before.items.push(...items);
        else if (isReadOnly(part)) words = items;
        else {
          addPage(pages, group, items);
          lastShared = shared;
        }
      }
    }
  }
  if (words.length > 0) {
    const last = pages.at(-1);
    if (last) last.items.push(...words);
    else addPage(pages, undefined, words);
  }
  return pages;
}

const preparedSharedPages = new WeakMap<Form, ReadonlyMap<FormItem, FormItem>>();

/**
 * The first question of its page for each short question outside of groups. It counts hidden questions too, so that an answer that shows
 * or hides one never moves another to a different page.
 */
function sharedPagesOf(form: Form): ReadonlyMap<FormItem, FormItem> {
  const known = preparedSharedPages.get(form);
  if (known) return known;
  const firstOfPage = new Map<FormItem, FormItem>();
  let first: FormItem | undefined;
  let weight = 0;
  for (const item of form.items) {
    // What nobody answers goes with the question before it.
    if (item.hidden || (item.isQuestion && !canBeAnswered(item))) continue;
    if (item.type === 'display' || !isShort(item)) {
      first = undefined;
      continue;
    }
    const own = weightWithin(item);
    if (!first || weight + own > sharedPageWeight) {
      first = item;
      weight = 0;
    }
    firstOfPage.set(item, first);
    weight += own;
  }
  preparedSharedPages.set(form, firstOfPage);
  return firstOfPage;
}

/** A question that is quick to answer, with all its follow-ups: not a long text, a picture, a long choice, a list of answers or a group. */
function isShort({ type, isQuestion, repeats, options, children }: FormItem): boolean {
  if (type === 'display') return true;
  const isList = repeats && options.length === 0;
  const isLong = type === 'text' || type === 'attachment' || options.length > maxShortOptions;
  return isQuestion && !isList && !isLong && children.every(isShort);
}

const weightWithin = (item: FormItem): number =>
  item.children.reduce((sum, child) => sum + weightWithin(child), weightOf(item));

/** A group that holds nothing but help texts is a page to read. */
const isShownAlone = (item: FormItem) => item.type !== 'group' || helpOf(item).length > 0;

/** It only shows answers that nobody gives here. */
const isReadOnly = (items: readonly VisibleItem[]) =>
  items.some(({ item }) => item.isQuestion) &&
  !items.some(({ item, repetition }) => repetition !== undefined || canBeAnswered(item));

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
    const own = family.reduce((sum, one) => sum + weightOf(one.item), 0);
    const isLongGroup = own > pageWeight && family[0]?.item.type === 'group';
    for (const part of isLongGroup ? portions(family) : [family]) {
      const added = isLongGroup ? part.reduce((sum, one) => sum + weightOf(one.item), 0) : own;
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

/** A page's title in that language: its group's text; empty for a question outside of groups. */
export function pageTitleOf(page: Page, language: Language): string {
  return page.group ? questionText(page.group, language) : '';
}
