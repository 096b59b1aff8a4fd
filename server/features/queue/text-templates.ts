import type { Language } from '#contract/shapes.ts';
import { sizeOfText } from '#contract/text-segments.ts';

/** Replaces a text's link when staff read it, because whoever has the link can act as the patient. */
export const linkLabel = {
  en: '(link to the visit)',
  es: '(enlace a la visita)',
} as const satisfies Record<Language, string>;

/** The same in a text about surveys. */
export const surveyLinkLabel = {
  en: '(link to the survey)',
  es: '(enlace a la encuesta)',
} as const satisfies Record<Language, string>;

/** The same where only the newest text is known, and not what it is about. */
export const anyLinkLabel = { en: '(link)', es: '(enlace)' } as const satisfies Record<Language, string>;

/**
 * The built-in texts about a visit. They contain no patient's name and no reason for the visit: texts are not secure. The last part is the
 * amount to pay, or the forms as a phrase (`formsPhrase`).
 */
export const textTemplates = {
  invite: {
    en: (office: string, link: string) => `${office}: we are ready for you. Please come in now. ${link}`,
    es: (office: string, link: string) => `${office}: ya puede pasar. Entre ahora, por favor. ${link}`,
  },
  reinvite: {
    en: (office: string, link: string) => `${office}: we are still waiting for you. Please come in now. ${link}`,
    es: (office: string, link: string) => `${office}: le seguimos esperando. Entre ahora, por favor. ${link}`,
  },
  link: {
    en: (office: string, link: string) => `${office}: track your visit here: ${link}`,
    es: (office: string, link: string) => `${office}: siga su visita aquí: ${link}`,
  },
  form: {
    en: (office: string, link: string, forms: string) => `${office}: please finish ${forms} before your visit: ${link}`,
    es: (office: string, link: string, forms: string) => `${office}: complete ${forms} antes de su visita: ${link}`,
  },
  payment: {
    en: (office: string, link: string, amount: string) => `${office}: your copay today is ${amount}. Pay here: ${link}`,
    es: (office: string, link: string, amount: string) => `${office}: su copago de hoy es ${amount}. Pague en: ${link}`,
  },
  /** With a part for earlier claims. */
  balance: {
    en: (office: string, link: string, amount: string) => `${office}: you have ${amount} to pay. Pay here: ${link}`,
    es: (office: string, link: string, amount: string) => `${office}: tiene ${amount} por pagar. Pague en: ${link}`,
  },
  expect: {
    en: (office: string, link: string) => `${office}: when you arrive, stay in your car and check in here: ${link}`,
    es: (office: string, link: string) => `${office}: cuando llegue, quédese en su auto y regístrese aquí: ${link}`,
  },
  /** Sent instead of it if it takes no further segment. */
  expectOrReply: {
    en: (office: string, link: string) =>
      `${office}: when you arrive, stay in your car and reply HERE, or check in here: ${link}`,
    es: (office: string, link: string) =>
      `${office}: cuando llegue, quédese en su auto y responda AQUI, o regístrese aquí: ${link}`,
  },
  /** Answers HERE: nobody knows yet who comes. */
  here: {
    en: (office: string, link: string) =>
      `${office}: thanks, you're checked in. Please tell us who is here today: ${link}`,
    es: (office: string, link: string) =>
      `${office}: gracias, ya registramos su llegada. Indique el nombre del paciente en: ${link}`,
  },
  /** Answers HERE of somebody who checked in on the page before. */
  hereAgain: {
    en: (office: string, link: string) => `${office}: thanks, you're checked in. Track your visit here: ${link}`,
    es: (office: string, link: string) => `${office}: gracias, ya registramos su llegada. Siga su visita en: ${link}`,
  },
} as const satisfies Record<string, Record<Language, (office: string, link: string, detail: string) => string>>;

/** The sentence of a text. An invitation to check in offers HERE where that takes no further segment. */
export function sentenceThatFits(
  sentence: keyof typeof textTemplates,
  { language, office, url }: { language: Language; office: string; url: string },
): keyof typeof textTemplates {
  if (sentence !== 'expect') return sentence;
  const segments = (of: 'expect' | 'expectOrReply') => sizeOfText(textTemplates[of][language](office, url)).segments;
  return segments('expectOrReply') > segments('expect') ? 'expect' : 'expectOrReply';
}
