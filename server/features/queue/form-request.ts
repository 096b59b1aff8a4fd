import type { Language } from '#contract/shapes.ts';
import { sizeOfText } from '#contract/text-segments.ts';
import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { officeRow } from '#server/office-row.ts';
import { builtInFormNames } from './member-forms-sql.ts';
import { locales } from '#questionnaire/language/language.ts';
import { textTemplates } from './text-templates.ts';

/** A request of forms is billed as this many texts at most (decision 0077). */
const mostSegments = 2;
const tokenLength = 32;

/** The forms of a request as a phrase. Built-in forms have their names; others, and those that no longer fit, are counted. */
export async function requestedFormsPhrase(
  tx: Tx,
  scope: OfficeScope,
  language: Language,
  formTypes: readonly string[],
): Promise<string> {
  return (await requestedFormsFormatter(tx, scope, language))(formTypes);
}

/** The same for several requests: the names are read once. */
export async function requestedFormsFormatter(
  tx: Tx,
  scope: OfficeScope,
  language: Language,
): Promise<(formTypes: readonly string[]) => string> {
  const [office, builtIn] = await Promise.all([officeRow(tx, scope.officeId), builtInFormNames(tx, scope.officeId)]);
  const nameOf = (wanted: string) => builtIn.find(({ type }) => type === wanted)?.name[language] ?? null;
  const sender = { office: office.name, language, publicUrl: scope.env.publicUrl };
  return (formTypes) => formsPhrase(sender, formTypes.map(nameOf));
}

interface Sender {
  office: string;
  language: Language;
  publicUrl: string;
}

/** Forms as a phrase, as many by name as the text has room for; a name is null if it may not be in a text. */
export function formsPhrase({ office, language, publicUrl }: Sender, names: readonly (string | null)[]): string {
  const link = `${publicUrl}/visit/${'x'.repeat(tokenLength)}`;
  const phraseOf = (named: readonly string[]) => formPhrases[language](named, names.length - named.length);
  const fits = (named: readonly string[]) =>
    sizeOfText(textTemplates.form[language](office, link, phraseOf(named))).segments <= mostSegments;
  const named = names.reduce<readonly string[]>(
    (before, name) => (name !== null && fits([...before, name]) ? [...before, name] : before),
    [],
  );
  return phraseOf(named);
}

const lists = { en: new Intl.ListFormat(locales.en), es: new Intl.ListFormat(locales.es) };

const formPhrases: Record<Language, (named: readonly string[], more: number) => string> = {
  en: (named, more) => {
    if (named.length === 0) return 'your forms';
    const list = lists.en.format(more === 0 ? named : [...named, `${more} more`]);
    return `your ${list} ${(more || named.length) === 1 ? 'form' : 'forms'}`;
  },
  // "otros" and not "más": one accent would more than halve what a text holds.
  es: (named, more) => {
    if (named.length === 0) return 'sus formularios';
    if (named.length + more === 1) return `el formulario ${named.join('')}`;
    const rest = more === 0 ? [] : [more === 1 ? 'otro' : `otros ${more}`];
    return `los formularios ${lists.es.format([...named, ...rest])}`;
  },
};
