import { pictureLinkHours } from '#contract/conversations/messages.ts';
import type { Language } from '#contract/shapes.ts';

/** The text about a picture, with a link to it. We send no MMS: not every practice's number may (decision 0113). */
export const pictureText = {
  en: (office: string, link: string) =>
    `${office} sent you a picture. Open it within ${pictureLinkHours} hours: ${link}`,
  es: (office: string, link: string) =>
    `${office} le envió una imagen. Ábrala en un plazo de ${pictureLinkHours} horas: ${link}`,
} as const satisfies Record<Language, (office: string, link: string) => string>;
