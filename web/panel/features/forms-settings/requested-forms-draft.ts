import { surveyTypes } from '#contract/ambulatory/shapes.ts';
import type { FormSetting, KnownForm } from '#contract/forms/settings.ts';

/** The draft of a form on the list. */
export interface RequestedFormDraft {
  /** Identifies the row while the page is open. */
  key: string;
  type: string;
  enabled: boolean;
  when: 'checkin' | 'day';
  /** Days after the visit. */
  day: string;
  /** Empty means the form's own name. */
  name: { en: string; es: string };
}

/** The problems of the rows, by key and field: `photo-id.0.day`. */
export type Problems = Partial<Record<string, 'day' | 'twice' | 'long'>>;

export const longestName = 80;
export const latestDay = 365;

/** Surveys after surgery are planned on a page of their own. */
export const isSurvey = (type: string): boolean => (surveyTypes as readonly string[]).includes(type);

/** The forms of the list; surveys are not on it. */
export function toDrafts(forms: readonly FormSetting[]): RequestedFormDraft[] {
  const drafts: RequestedFormDraft[] = [];
  for (const { type, enabled, day, visibleName } of forms.filter((form) => !isSurvey(form.type)))
    drafts.push({
      key: freeKey(drafts, type),
      type,
      enabled,
      when: day === null ? 'checkin' : 'day',
      day: day === null ? '' : String(day),
      name: { ...visibleName },
    });
  return drafts;
}

const freeKey = (drafts: readonly RequestedFormDraft[], type: string): string => {
  let n = drafts.filter((one) => one.type === type).length;
  while (drafts.some(({ key }) => key === `${type}.${n}`)) n++;
  return `${type}.${n}`;
};

/** Adds a form: at check-in, or on the first free day after the visit if it is already asked for at check-in. */
export function addForm(drafts: readonly RequestedFormDraft[], { formType, name }: KnownForm): RequestedFormDraft[] {
  const used = new Set(drafts.filter(({ type }) => type === formType).map(whenOf));
  let day = 1;
  while (used.has(String(day))) day++;
  const atCheckin = !used.has('checkin');
  const draft: RequestedFormDraft = {
    key: freeKey(drafts, formType),
    type: formType,
    enabled: true,
    when: atCheckin ? 'checkin' : 'day',
    day: atCheckin ? '' : String(day),
    name: { ...(drafts.find(({ type }) => type === formType)?.name ?? name) },
  };
  return [...drafts, draft];
}

/** The list with the row at `from` moved to `to`. */
export function moveForm<T>(list: readonly T[], from: number, to: number): T[] {
  const [one] = list.slice(from, from + 1);
  if (one === undefined || to < 0 || to >= list.length) return [...list];
  return list.toSpliced(from, 1).toSpliced(to, 0, one);
}

const whenOf = ({ when, day }: RequestedFormDraft): string => (when === 'checkin' ? 'checkin' : String(Number(day)));
const isDay = (typed: string) => /^\s*\d{1,3}\s*$/.test(typed) && Number(typed) <= latestDay;

/** The problems that prevent saving; empty if there are none. */
export function problemsOf(drafts: readonly RequestedFormDraft[]): Problems {
  const problems: Problems = {};
  const seen = new Set<string>();
  for (const draft of drafts) {
    const { key, type, when, day, name } = draft;
    const place = `${type} ${whenOf(draft)}`;
    if (when === 'day' && !isDay(day)) problems[`${key}.day`] = 'day';
    else if (seen.has(place)) problems[`${key}.day`] = 'twice';
    seen.add(place);
    for (const language of ['en', 'es'] as const)
      if (name[language].trim().length > longestName) problems[`${key}.${language}`] = 'long';
  }
  return problems;
}

/** The settings of a list without problems. */
export function toSettings(drafts: readonly RequestedFormDraft[]): FormSetting[] {
  return drafts.map(({ type, enabled, when, day, name }) => ({
    enabled,
    type,
    day: when === 'checkin' ? null : Number(day),
    visibleName: { en: name.en.trim(), es: name.es.trim() },
  }));
}

/** Whether saving would change anything. A draft that cannot be saved counts as changed. */
export function isChanged(drafts: readonly RequestedFormDraft[], saved: readonly FormSetting[]): boolean {
  if (Object.keys(problemsOf(drafts)).length > 0) return true;
  return JSON.stringify(toSettings(drafts)) !== JSON.stringify(toSettings(toDrafts(saved)));
}
