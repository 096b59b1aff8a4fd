/** The draft of a questionnaire in the editor: a flat list, in which a section has the questions up to the next section. */
export interface FormDraft {
  title: Texts;
  entries: Entry[];
}

export interface Texts {
  en: string;
  es: string;
}

export const kinds = [
  'string',
  'text',
  'integer',
  'decimal',
  'boolean',
  'date',
  'choice',
  'several',
  'display',
  'group',
  'score',
] as const;
export type Kind = (typeof kinds)[number];

export interface Entry {
  linkId: string;
  kind: Kind;
  text: Texts;
  required: boolean;
  /** Only a choice has options. */
  options: Option[];
}

export interface Option {
  code: string;
  text: Texts;
  /** As typed; empty for none. */
  points: string;
}

export const isChoice = (kind: Kind): boolean => kind === 'choice' || kind === 'several';
export const canBeRequired = (kind: Kind): boolean => kind !== 'display' && kind !== 'group' && kind !== 'score';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A random id, such as `q-4k1zq0xw`. Counting would give the id of a deleted question to the next one, and the answers of earlier versions
 * would stand in the same column as its own.
 */
function newId(prefix: string): string {
  const random = crypto.getRandomValues(new Uint8Array(8));
  return `${prefix}-${[...random].map((byte) => letters[byte % letters.length]).join('')}`;
}

export const newOption = (): Option => ({ code: newId('a'), text: { en: '', es: '' }, points: '' });

export function newEntry(kind: Kind): Entry {
  const options = isChoice(kind) ? [newOption(), newOption()] : [];
  return { linkId: newId('q'), kind, text: { en: '', es: '' }, required: false, options };
}

/** The list with the one at `from` moved by one place. */
export function moveBy<T>(list: readonly T[], from: number, by: 1 | -1): T[] {
  const one = list[from];
  const to = from + by;
  if (one === undefined || to < 0 || to >= list.length) return [...list];
  return list.toSpliced(from, 1).toSpliced(to, 0, one);
}

/** Points with a decimal point or comma; null if it is no number. */
export function pointsOf(typed: string): number | null {
  return /^\s*-?\d{1,6}(?:[.,]\d{1,3})?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : null;
}

export const hasPoints = ({ options }: Entry): boolean => options.some(({ points }) => points.trim() !== '');

export type DraftProblem =
  | 'wording'
  | 'same'
  | 'same_es'
  | 'points'
  | 'options'
  | 'no_points'
  | 'no_questions'
  | 'long';

/** What prevents saving, by field: `title`, `q1`, `q1.a2`, `q1.a2.points`. */
export function draftProblems({ title, entries }: FormDraft): Record<string, DraftProblem> {
  const problems: Record<string, DraftProblem> = {};
  if (title.en.trim() === '') problems['title'] = 'wording';
  else if (title.en.length > 80 || title.es.length > 80) problems['title'] = 'long';
  if (!entries.some(({ kind }) => canBeRequired(kind))) problems['form'] = 'no_questions';
  for (const entry of entries) {
    const { linkId, kind, text, options } = entry;
    if (text.en.trim() === '') problems[linkId] = 'wording';
    else if (kind === 'score' && !entries.some(hasPoints)) problems[linkId] = 'no_points';
    else if (isChoice(kind) && options.length === 0) problems[linkId] = 'options';
    for (const [at, option] of options.entries()) {
      const problem = option.text.en.trim() === '' ? 'wording' : likeEarlier(option, options.slice(0, at));
      if (problem) problems[`${linkId}.${option.code}`] = problem;
      if (option.points.trim() !== '' && pointsOf(option.points) === null)
        problems[`${linkId}.${option.code}.points`] = 'points';
    }
  }
  return problems;
}

/** A patient could not tell two options with the same words apart. Without a Spanish wording they read the English. */
function likeEarlier({ text }: Option, earlier: readonly Option[]): 'same' | 'same_es' | undefined {
  const normalize = (given: string) => given.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  const spanish = ({ en, es }: Texts) => normalize(es) || normalize(en);
  if (earlier.some((other) => normalize(other.text.en) === normalize(text.en))) return 'same';
  return earlier.some((other) => spanish(other.text) === spanish(text)) ? 'same_es' : undefined;
}

/** How many wordings have no Spanish. */
export function missingSpanish({ title, entries }: FormDraft): number {
  const all = [title, ...entries.flatMap(({ text, options }) => [text, ...options.map((option) => option.text)])];
  return all.filter(({ es }) => es.trim() === '').length;
}
