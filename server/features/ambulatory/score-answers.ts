import { callMeLinkId, callTimeLinkId, painLinkIds, redFlags } from '#contract/ambulatory/answer-rules.ts';
import { painRise, type CallbackReason } from '#contract/ambulatory/callbacks.ts';
import type { Advice } from '#contract/ambulatory/episode.ts';
import type { AmbuSettings } from '#contract/ambulatory/surveys.ts';
import { translationOf } from '#questionnaire/extensions.ts';
import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { isCoding, type Answers } from '#questionnaire/values.ts';
import { searchWordsOf } from '#server/search-words.ts';

interface Scores {
  stationaryPain: number | null;
  movementPain: number | null;
}

/** The meaning of a survey's answers: both scores, why a nurse should call, and what the patient should do now. */
export interface ScoredAnswers extends Scores {
  reasons: CallbackReason[];
  advice: Advice;
}

/** Scores a survey. `before`: the scores of the survey before it, if there is one. */
export function scoreAnswers(
  questionnaire: Questionnaire,
  answers: Answers,
  { settings, before }: { settings: AmbuSettings; before: Scores | null },
): ScoredAnswers {
  const items = itemsOf(questionnaire.item ?? []);
  const scores: Scores = {
    stationaryPain: painIn(answers, painLinkIds.stationary),
    movementPain: painIn(answers, painLinkIds.movement),
  };
  const worst = Math.max(scores.stationaryPain ?? -1, scores.movementPain ?? -1);
  const isAtLimit = worst >= settings.painLimit;
  const flags = redFlagsIn(items, answers);
  const reasons = [
    ...(isAtLimit ? [reason('score', String(worst))] : []),
    ...riseOf(scores, before),
    ...(answers[callMeLinkId]?.[0] === true ? [askedReason(items, answers)] : []),
    ...watchedWordsIn(items, answers, settings.watchedWords).map((word) => reason('word', word)),
    ...flags.map(({ detail }): CallbackReason => ({ code: 'red-flag', detail })),
  ];
  const isUrgent = flags.some(({ advice }) => advice === 'call-911');
  const advice = isUrgent ? 'call-911' : isAtLimit || flags.length > 0 ? 'call-office' : 'none';
  return { ...scores, reasons, advice };
}

const reason = (code: CallbackReason['code'], detail: string): CallbackReason => ({
  code,
  detail: { en: detail, es: detail },
});

/** All items, those inside groups and questions too. */
function itemsOf(items: readonly Item[]): Map<string, Item> {
  const byLinkId = new Map<string, Item>();
  const left = [...items];
  for (let item = left.pop(); item; item = left.pop()) {
    byLinkId.set(item.linkId, item);
    left.push(...(item.item ?? []));
  }
  return byLinkId;
}

/** A score, if the questionnaire asks for it; an own one may have another scale, which is not a score. */
function painIn(answers: Answers, linkId: string): number | null {
  const [value] = answers[linkId] ?? [];
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 10 ? value : null;
}

function riseOf(scores: Scores, before: Scores | null): CallbackReason[] {
  const rises = (['stationaryPain', 'movementPain'] as const).flatMap((which) => {
    const [from, to] = [before?.[which] ?? null, scores[which]];
    return from !== null && to !== null && to - from >= painRise ? [{ from, to }] : [];
  });
  const [steepest] = rises.sort((a, b) => b.to - b.from - (a.to - a.from));
  return steepest ? [reason('rise', `${steepest.from} → ${steepest.to}`)] : [];
}

function askedReason(items: ReadonlyMap<string, Item>, answers: Answers): CallbackReason {
  const [time] = answers[callTimeLinkId] ?? [];
  return { code: 'asked', detail: optionTexts(items.get(callTimeLinkId), time) };
}

/** The warning signs that the patient has. */
function redFlagsIn(items: ReadonlyMap<string, Item>, answers: Answers) {
  return Object.entries(redFlags).flatMap(([linkId, flags]) =>
    (answers[linkId] ?? []).flatMap((value) => {
      const code = isCoding(value) ? (value.code ?? '') : '';
      const advice = Object.hasOwn(flags, code) ? flags[code] : undefined;
      return advice ? [{ advice, detail: optionTexts(items.get(linkId), value) }] : [];
    }),
  );
}

/** An option's text in both languages; empty if nothing was chosen. */
function optionTexts(item: Item | undefined, value: unknown): CallbackReason['detail'] {
  if (!isCoding(value)) return { en: '', es: '' };
  const option = item?.answerOption?.find(({ valueCoding }) => valueCoding?.code === value.code)?.valueCoding;
  const text = (language: 'en' | 'es') =>
    translationOf(option?.display, option?._display, language) || (value.display ?? value.code ?? '');
  return { en: text('en'), es: text('es') };
}

/** The watched words in what the patient wrote, each once. A watched word is the beginning of a word, or of several in a row. */
function watchedWordsIn(items: ReadonlyMap<string, Item>, answers: Answers, watched: readonly string[]): string[] {
  const isText = (key: string) =>
    ['text', 'string', 'open-choice'].includes(items.get(key.split('#')[0] ?? '')?.type ?? '');
  const written = Object.entries(answers)
    .filter(([key]) => isText(key))
    .flatMap(([, values]) => values.filter((value) => typeof value === 'string'))
    .map((text) => ` ${searchWordsOf(text).join(' ')}`);
  return watched.filter((word) => {
    const words = searchWordsOf(word).join(' ');
    return words !== '' && written.some((text) => text.includes(` ${words}`));
  });
}
