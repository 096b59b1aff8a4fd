import type { Language } from './language/language.ts';
import type { EvaluationContext } from './evaluation.ts';
import { visibleItems, type VisibleItem } from './visible-items.ts';
import { canBeAnswered, helpOf, type FormItem } from './form-item.ts';
import { formOf } from './form.ts';
import { questionText } from './form-texts.ts';
import { sectionsOf, sharedPagesOf, weightOf } from './sections.ts';
import type { Questionnaire } from './questionnaire.ts';
import type { Answers } from './values.ts';

/** One page on the phone. */
export interface Page {
  /** The id of its first item; stays the same while that item is there. */
  id: string;
  /** The top-level group whose text is the page's title; undefined for questions outside of groups, and for several groups that are the whole form. */
  group: FormItem | undefined;
  /** The section of the form that it belongs to, from 1. */
  section: number;
  items: VisibleItem[];
}

/** How much of a group fits on one page, counted by `weightOf`. */
const pageWeight = 8;

/**
 * The form cut into pages for a phone: a top-level group is a page, a long one several. Short questions outside of groups share a page, a
 * longer one has a page for itself. Texts to read begin a page with what follows them, follow-ups stay with their question, and a page
 * with nothing on it does not exist. An item marked `questionnaire-same-page` is on the page before it, as long as something else of its
 * section is there. What is calculated or read-only goes with the questions before it: a page on which nothing can be
 * done would be a dead end. Groups marked as `page`, and those in a `tab-container`, are pages too; what only readers of the answers see is not shown.
 */
export function pagesOf(questionnaire: Questionnaire, answers: Answers, setting?: EvaluationContext): Page[] {
  const cut: CutForm = { questionnaire, pages: [], lastShared: undefined, texts: [] };
  const { pages } = cut;
  const shown = visibleItems(questionnaire, answers, setting).filter(({ item }) => item.shownTo !== 'readers');
  for (const family of families(shown, 0)) {
    if (family.every((one) => one.item.type === 'display')) cut.texts.push(...family);
    else addFamily(cut, family);
  }
  if (cut.texts.length > 0) {
    const last = pages.at(-1);
    if (last) last.items.push(...cut.texts);
    else addPage(pages, undefined, 1, cut.texts);
  }
  return pages;
}

/** A form while it is cut into pages. */
interface CutForm {
  questionnaire: Questionnaire;
  pages: Page[];
  /** Which shared page the last page is. */
  lastShared: FormItem | undefined;
  /** Texts that begin the next page. */
  texts: VisibleItem[];
}

/** Adds a top-level item with everything below it: to the page before it, or as one page or several. */
function addFamily(cut: CutForm, family: readonly VisibleItem[]): void {
  const { questionnaire, pages } = cut;
  const head = family[0]?.item;
  if (!head || (head.type === 'group' && !family.some((one) => isShownAlone(one.item)))) return;
  const group = head.type === 'group' ? head : undefined;
  const sections = sectionsOf(questionnaire);
  const section = sections.numberOf.get(head) ?? 1;
  const shared = sharedPagesOf(formOf(questionnaire)).get(head);
  const joins = head.samePage && pages.at(-1)?.section === section;
  // Several groups that are the whole form keep their headings below its name.
  const title = sections.count === 1 && sections.groups > 1 ? undefined : group;
  const parts = group && !joins ? portionsOf(family, title) : [{ title, items: family }];
  for (const { title: partTitle, items: part } of parts) {
    const items = [...cut.texts, ...part];
    const before = pages.at(-1);
    cut.texts = [];
    if (before && (joins || isReadOnly(part) || (shared !== undefined && shared === cut.lastShared)))
      before.items.push(...items);
    else if (isReadOnly(part)) cut.texts = items;
    else {
      addPage(pages, partTitle, section, items);
      cut.lastShared = shared;
    }
  }
}

/** A group that holds nothing but help texts is a page to read. */
const isShownAlone = (item: FormItem) => item.type !== 'group' || helpOf(item).length > 0;

/** It only shows answers that nobody gives here. */
const isReadOnly = (items: readonly VisibleItem[]) =>
  items.some(({ item }) => item.isQuestion) &&
  !items.some(({ item, repetition }) => repetition !== undefined || canBeAnswered(item));

function addPage(pages: Page[], group: FormItem | undefined, section: number, items: VisibleItem[]): void {
  const [first] = items;
  if (first) pages.push({ id: first.id, group, section, items });
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

/** A top-level group as pages. Groups in it that are pages or tabs are pages of their own, with their own titles. */
function portionsOf(
  family: readonly VisibleItem[],
  title: FormItem | undefined,
): { title: FormItem | undefined; items: VisibleItem[] }[] {
  const [head, ...rest] = family;
  const isPage = ({ item }: VisibleItem) =>
    item.type === 'group' && (item.control === 'page' || head?.item.control === 'tab-container');
  const members = head ? families(rest, head.level + 1) : [];
  if (!head || !members.some(([first]) => first && isPage(first)))
    return portions(family).map((items) => ({ title, items }));
  const pages: { title: FormItem | undefined; items: VisibleItem[] }[] = [];
  let others: VisibleItem[] = [head];
  const endOthers = () => {
    const isEmpty = others.every(({ item }) => !isShownAlone(item));
    if (!isEmpty) for (const items of portions(others)) pages.push({ title, items });
    others = [];
  };
  for (const member of members) {
    const [first] = member;
    if (!first || !isPage(first)) {
      others.push(...member);
      continue;
    }
    endOthers();
    for (const { title: own, items } of portionsOf(member, first.item)) pages.push({ title: own, items });
  }
  endOthers();
  return pages;
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
