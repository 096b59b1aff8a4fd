import { mostWatchedWords, type AmbuSettings } from '#contract/ambulatory/surveys.ts';

/** The draft of the surveys' settings: everything is text. */
export interface Draft {
  surveyTime: string;
  painLimit: string;
  /** Separated by commas. */
  watchedWords: string;
  /** Ten digits; empty: none of its own. */
  phone: string;
}

/** The problems, by field. */
export type Problems = Partial<Record<keyof Draft, true>>;

const wordsIn = (text: string): string[] => {
  const words = text.split(/[,;\n]/).map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
};

export const toDraft = ({ surveyTime, painLimit, watchedWords, phone }: AmbuSettings): Draft => ({
  surveyTime,
  painLimit: String(painLimit),
  watchedWords: watchedWords.join(', '),
  phone: phone?.replace(/^\+1/, '') ?? '',
});

export const toSettings = ({ surveyTime, painLimit, watchedWords, phone }: Draft): AmbuSettings => ({
  surveyTime,
  painLimit: Number(painLimit),
  watchedWords: wordsIn(watchedWords),
  phone: phone === '' ? null : `+1${phone}`,
});

/** The problems that prevent saving; empty if there are none. */
export function problemsOf({ surveyTime, watchedWords, phone }: Draft): Problems {
  const words = wordsIn(watchedWords);
  const areWordsWrong = words.length > mostWatchedWords || words.some(({ length }) => length < 2 || length > 40);
  return {
    ...(surveyTime === '' && { surveyTime: true as const }),
    ...(areWordsWrong && { watchedWords: true as const }),
    ...(phone !== '' && phone.length !== 10 && { phone: true as const }),
  };
}

export const isValid = (draft: Draft): boolean => Object.keys(problemsOf(draft)).length === 0;

/** Whether saving would change anything. A draft that cannot be saved is a change. */
export function isChanged(draft: Draft, saved: AmbuSettings): boolean {
  return !isValid(draft) || JSON.stringify(toSettings(draft)) !== JSON.stringify(toSettings(toDraft(saved)));
}
