import { extensionsOf, urls } from '#questionnaire/extensions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';

/** FHIR resources by the names under which a form's expressions read them, such as `patient` for `%patient`. */
export type LaunchContext = Readonly<Record<string, unknown>>;

/** The names that a form's `launchContext` declares, each with the types of resources it takes. */
export function launchNames(questionnaire: Questionnaire): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { extension = [] } of extensionsOf(questionnaire, urls.launchContext)) {
    const codesOf = (url: string) =>
      extension
        .filter((inner) => inner.url === url)
        .map((inner) => inner['valueCode'] ?? inner['valueId'] ?? codeIn(inner['valueCoding']));
    const [name] = codesOf('name');
    const types = codesOf('type').filter((type) => typeof type === 'string');
    if (typeof name === 'string' && /^[A-Za-z][\w-]{0,63}$/.test(name))
      names.set(name, [...(names.get(name) ?? []), ...types]);
  }
  return names;
}

const codeIn = (coding: unknown): unknown => (coding as { code?: unknown } | null | undefined)?.code;

/** What can be filled under that name when a patient opens a form; undefined if it is about something else, such as a study. */
export function launchKind(name: string, types: readonly string[]): 'patient' | 'user' | 'encounter' | undefined {
  if (name === 'user') return types.some((type) => type === 'Patient' || type === 'RelatedPerson') ? 'user' : undefined;
  if (types.includes('Patient')) return 'patient';
  return types.includes('Encounter') ? 'encounter' : undefined;
}
