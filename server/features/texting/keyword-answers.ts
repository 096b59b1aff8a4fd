import type { Language } from '#contract/shapes.ts';
import type { Keyword } from '#contract/texting.ts';

/** The answer to HELP, which carriers require of each sender. */
const helpAnswer = {
  en: (office: string) =>
    `${office}: this number texts you about your visit. Reply STOP for no more texts, START to get them again. Message and data rates may apply.`,
  es: (office: string) =>
    `${office}: este número le escribe sobre su visita. Responda STOP para no recibir más mensajes, START para volver a recibirlos. Pueden aplicarse tarifas.`,
} as const satisfies Record<Language, (office: string) => string>;

/** The confirmation of STOP: the last text that the number gets. */
const stopAnswer = {
  en: (office: string) => `${office}: you will get no more texts from this number. Reply START to get them again.`,
  es: (office: string) =>
    `${office}: no recibirá más mensajes de este número. Responda START para volver a recibirlos.`,
} as const satisfies Record<Language, (office: string) => string>;

/** The confirmation of START. */
const startAnswer = {
  en: (office: string) => `${office}: you will get texts from this number again. Reply STOP for no more texts.`,
  es: (office: string) =>
    `${office}: volverá a recibir mensajes de este número. Responda STOP para no recibir más mensajes.`,
} as const satisfies Record<Language, (office: string) => string>;

/** Keywords that only somebody who writes Spanish sends. */
const spanishKeyword = /^\P{L}*(parar|alto|ayuda|(estoy )?aqu[ií]|(ya )?llegu[eé])\P{L}*$/iu;

export const isSpanishKeyword = (body: string): boolean => spanishKeyword.test(body.normalize('NFC'));

/**
 * The language of the conversation: that of today's visit; without one, of the keyword itself, and then of the patient, whose record has English
 * until somebody chose a language.
 */
export const answerLanguage = (
  body: string,
  known: { visitLanguage: Language | undefined; patientLanguage: Language | undefined },
): Language => known.visitLanguage ?? (isSpanishKeyword(body) ? 'es' : (known.patientLanguage ?? 'en'));

/** How a keyword is answered, if it is. `isConfirmed`: whether we confirm STOP and START. */
export function keywordAnswer(
  keyword: Exclude<Keyword, 'here'>,
  isConfirmed: boolean,
  language: Language,
): ((office: string) => string) | null {
  if (keyword === 'help') return helpAnswer[language];
  if (!isConfirmed) return null;
  return (keyword === 'stop' ? stopAnswer : startAnswer)[language];
}
