import { formOf, type Form } from './form.ts';
import { canBeAnswered, type FormItem } from './form-item.ts';
import type { Questionnaire } from './questionnaire.ts';

/** The sections of a form, by which a patient sees how far it is. They depend on the questionnaire only, so no answer changes them. */
export interface Sections {
  count: number;
  /** The section of each top-level item, from 1. */
  numberOf: ReadonlyMap<FormItem, number>;
  /** Top-level groups: two in one section need a heading each. */
  groups: number;
}

const preparedSections = new WeakMap<Form, Sections>();

/**
 * The sections of a form: a top-level group is one, and so are the short questions outside of groups that share a page, and each long
 * question. An item marked `questionnaire-same-page` belongs to the section before it. Hidden items count too: an answer that shows or
 * hides one never changes how many sections there are.
 */
export function sectionsOf(questionnaire: Questionnaire): Sections {
  const form = formOf(questionnaire);
  const known = preparedSections.get(form);
  if (known) return known;
  const numberOf = new Map<FormItem, number>();
  const sharedPages = sharedPagesOf(form);
  let count = 0;
  for (const item of form.items) {
    const isFirst = !item.samePage && (sharedPages.get(item) ?? item) === item;
    if (!item.hidden && startsPage(item) && (isFirst || count === 0)) count += 1;
    numberOf.set(item, Math.max(count, 1));
  }
  const groups = form.items.filter(({ type, hidden }) => type === 'group' && !hidden).length;
  const sections = { count: Math.max(count, 1), numberOf, groups };
  preparedSections.set(form, sections);
  return sections;
}

/** Texts, and what nobody answers, are on the page of a question. */
function startsPage(item: FormItem): boolean {
  if (item.type !== 'group') return item.type === 'unknown' || canBeAnswered(item);
  const within = (one: FormItem): FormItem[] => [one, ...one.children.flatMap(within)];
  const questions = within(item).filter(({ isQuestion }) => isQuestion);
  return questions.length === 0 || item.repeats || questions.some(canBeAnswered);
}

/** How much a question adds to a page: a question counts 1, one with many answers to read 2, a photo or signature 3. */
export function weightOf(item: FormItem): number {
  if (!canBeAnswered(item)) return 0;
  if (item.type === 'attachment') return 3;
  return item.options.length > 3 || item.type === 'text' ? 2 : 1;
}

/** Which questions outside of groups share a page. */
interface PageSize {
  /** How much fits on the page. */
  weight: number;
  /** A question with more options takes most of a phone's screen. */
  options: number;
}

const usualPage: PageSize = { weight: 5, options: 6 };
/** For an instrument without groups: as much as on a group's page, because dozens of pages tire more than scrolling does. */
const longFormPage: PageSize = { weight: 8, options: 8 };
/** A form with more questions outside of groups is a long one. */
const mostUsualQuestions = 12;

function pageSizeOf(form: Form): PageSize {
  const questions = form.items.filter((item) => item.isQuestion && !item.hidden && canBeAnswered(item));
  return questions.length > mostUsualQuestions ? longFormPage : usualPage;
}

const preparedSharedPages = new WeakMap<Form, ReadonlyMap<FormItem, FormItem>>();

/**
 * The first question of its page for each short question outside of groups. It counts hidden questions too, so that an answer that shows
 * or hides one never moves another to a different page.
 */
export function sharedPagesOf(form: Form): ReadonlyMap<FormItem, FormItem> {
  const known = preparedSharedPages.get(form);
  if (known) return known;
  const firstOfPage = new Map<FormItem, FormItem>();
  const size = pageSizeOf(form);
  let first: FormItem | undefined;
  let weight = 0;
  for (const item of form.items) {
    // What nobody answers goes with the question before it.
    if (item.hidden || (item.isQuestion && !canBeAnswered(item))) continue;
    if (item.type === 'display' || !isShort(item, size)) {
      first = undefined;
      continue;
    }
    const own = weightWithin(item);
    if (!first || weight + own > size.weight) {
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
function isShort({ type, isQuestion, repeats, options, children }: FormItem, size: PageSize): boolean {
  if (type === 'display') return true;
  const isList = repeats && options.length === 0;
  const isLong = type === 'text' || type === 'attachment' || options.length > size.options;
  return isQuestion && !isList && !isLong && children.every((child) => isShort(child, size));
}

const weightWithin = (item: FormItem): number =>
  item.children.reduce((sum, child) => sum + weightWithin(child), weightOf(item));
