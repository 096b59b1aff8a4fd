import { pictureLinkDays } from '#contract/conversations.ts';
import type { Language } from '#contract/shapes.ts';

/** The text that carries a picture. A text has no picture in it: the carriers of many practices' numbers send none. */
export const pictureText = {
  en: (office: string, link: string) => `${office} sent you a picture. Open it within ${pictureLinkDays} days: ${link}`,
  es: (office: string, link: string) =>
    `${office} le envió una imagen. Ábrala en un plazo de ${pictureLinkDays} días: ${link}`,
} as const satisfies Record<Language, (office: string, link: string) => string>;
