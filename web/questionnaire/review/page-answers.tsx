import { useLingui } from '@lingui/react/macro';
import { Fragment } from 'react';
import { extensionOf, translationOf, urls } from '#questionnaire/extensions.ts';
import { questionText } from '#questionnaire/form-texts.ts';
import { helpOf, type FormItem } from '#questionnaire/form-item.ts';
import type { Page } from '#questionnaire/pages.ts';
import { problemMessage } from '#questionnaire/checking/problem-messages.ts';
import type { Problem } from '#questionnaire/checking/problems.ts';
import type { Attachment } from '#questionnaire/questionnaire.ts';
import { isOverwritten } from '#questionnaire/overwritten.ts';
import { filledValues, isRecord, type Answers, type Value } from '#questionnaire/values.ts';
import type { VisibleItem } from '#questionnaire/visible-items.ts';
import { formatFullDay } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useFormEnvironment } from '#web/questionnaire/form-context.ts';
import css from '#web/questionnaire/form.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { AlertCircleIcon as WarningIcon } from '#web/icons/alert-circle.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { answerText } from './answer-text.ts';

interface PageAnswersProps {
  id: string;
  title: string;
  /** Something on it is missing or wrong. */
  isOpen: boolean;
  page: Page;
  /** The items that are asked. */
  visibleIds: ReadonlySet<string>;
  answers: Answers;
  problems: ReadonlyMap<string, Problem>;
  /** The calculations that failed. */
  uncalculated: ReadonlySet<string> | undefined;
  /** Its answers, or some of them, are from this earlier visit. */
  earlier: { day: string; isAll: boolean } | undefined;
  /** Goes to the page; undefined if nothing on it can be answered. */
  onOpen: (() => void) | undefined;
}

/** The answers of one page, and the way back to it. */
export function PageAnswers({
  id,
  title,
  isOpen,
  page,
  visibleIds,
  answers,
  problems,
  uncalculated,
  earlier,
  onOpen,
}: PageAnswersProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const earlierDate = earlier ? formatFullDay(`${earlier.day}T00:00:00Z`, language, 'UTC') : '';
  return (
    <section className={css.reviewed} aria-labelledby={id}>
      <div className={css.reviewedHead}>
        <h2 id={id}>{title}</h2>
        {onOpen && (
          <button type="button" className={buttons.link} onClick={onOpen}>
            {isOpen ? t`Complete` : t`Change`}
            <VisuallyHidden> {title}</VisuallyHidden>
          </button>
        )}
      </div>
      {earlier && (
        <p className={css.earlier}>
          {earlier.isAll ? t`From your visit on ${earlierDate}` : t`Partly from your visit on ${earlierDate}`}
        </p>
      )}
      {partsOf(page, visibleIds).map(({ group, hints, items }, i) => (
        <Fragment key={i}>
          {group && group !== page.group && <h3>{shortTextOf(group, language)}</h3>}
          {hints.map((hint) => (
            <p key={hint.linkId} className={css.reviewedHint}>
              {questionText(hint, language)}
            </p>
          ))}
          <dl>
            {items.map(({ item, key, id: itemId }) => (
              <QuestionAnswers
                key={itemId}
                item={item}
                values={filledValues(answers[key])}
                isByHand={item.calculated !== undefined && isOverwritten(answers, key)}
                isUncalculated={uncalculated?.has(key) ?? false}
                problem={problems.get(key)}
              />
            ))}
          </dl>
        </Fragment>
      ))}
    </section>
  );
}

interface PagePart {
  group: FormItem | undefined;
  /** The texts that belong to all questions of a group. */
  hints: FormItem[];
  items: VisibleItem[];
}

/** The questions of a page that are asked, by the top-level group they are in: two groups may ask for a name each. */
function partsOf(page: Page, visibleIds: ReadonlySet<string>): PagePart[] {
  const parts: PagePart[] = [];
  for (const place of page.items) {
    const { item, level, repetition } = place;
    const isGroup = level === 0 && item.type === 'group';
    if (isGroup || parts.length === 0) parts.push({ group: isGroup ? item : page.group, hints: [], items: [] });
    const part = parts.at(-1);
    if (item.type === 'group' && (repetition ?? 0) === 0) part?.hints.push(...helpOf(item));
    if (item.isQuestion && visibleIds.has(place.id) && item.shownTo !== 'fillers') part?.items.push(place);
  }
  return parts.filter(({ items, hints }) => items.length + hints.length > 0);
}

/** A group's or a question's text where there is little space. */
function shortTextOf(item: FormItem, language: 'en' | 'es'): string {
  const short = extensionOf(item.source, urls.shortText) as Record<string, unknown> | undefined;
  const text = short?.['valueString'];
  const beside = short?.['_valueString'];
  if (typeof text !== 'string') return questionText(item, language);
  return translationOf(text, isRecord(beside) ? beside : undefined, language);
}

interface QuestionAnswersProps {
  item: FormItem;
  values: readonly Value[];
  /** The patient overwrote its calculation. */
  isByHand: boolean;
  isUncalculated: boolean;
  problem: Problem | undefined;
}

/** One question with its answers, or why there is none. */
function QuestionAnswers({ item, values, isByHand, isUncalculated, problem }: QuestionAnswersProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { pictureUrl } = useFormEnvironment();
  const question = shortTextOf(item, language);
  const isPicture = (value: Value) => item.type === 'attachment' && (value as Attachment).url;
  return (
    <div>
      <dt>{question}</dt>
      {values.map((value, nth) => (
        <dd key={nth} dir="auto">
          {isPicture(value) ? (
            <img className={css.thumb} src={pictureUrl(value as Attachment)} alt={question} />
          ) : (
            answerText(item, value, language)
          )}
        </dd>
      ))}
      {isByHand && values.length > 0 && <dd className={css.nothing}>{t`Entered by you, not calculated`}</dd>}
      {problem ? (
        <dd className={problem.isWarning ? css.warned : css.missing}>
          <WarningIcon size={16} />
          {problemMessage(problem, language)}
        </dd>
      ) : (
        values.length === 0 && (
          <dd className={css.nothing}>
            {item.calculated === undefined
              ? t`Not answered`
              : isUncalculated
                ? t`Could not be calculated from these answers.`
                : t`Not calculated: some answers are missing.`}
          </dd>
        )
      )}
    </div>
  );
}
