import { addMessages } from '#web/kit/i18n.ts';
import { AnswerBox } from './answer-box.tsx';
import { VisitPicture } from './visit-picture.tsx';

export const conversation = { AnswerBox, VisitPicture };

const catalogs = {
  en: () => import('./locales/en.po'),
  es: () => import('./locales/es.po'),
};

/** Loads the texts of answers and pictures; resolves when they can be shown. */
export const loadMessages = (): Promise<void> => addMessages(catalogs);
