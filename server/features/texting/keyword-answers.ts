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

/** How a keyword is answered, if it is. */
export function keywordAnswer(
  keyword: Keyword | null,
  confirmsStop: boolean,
  language: Language,
): ((office: string) => string) | null {
  if (keyword === 'help') return helpAnswer[language];
  return keyword === 'stop' && confirmsStop ? stopAnswer[language] : null;
}
