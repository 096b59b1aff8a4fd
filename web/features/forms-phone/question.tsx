import { useLingui } from '@lingui/react/macro';
import { memo, useId, type ReactNode } from 'react';
import { entryFormatOf, prefixOf, wordsOf } from '#contract/forms/form.ts';
import type { VisibleItem } from '#contract/forms/filling.ts';
import { sayProblem } from '#contract/forms/problem-words.ts';
import type { Problem } from '#contract/forms/problems.ts';
import type { Value } from '#contract/forms/values.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { ChoiceAnswer } from './choice-answer.tsx';
import { DateAnswer, DateTimeAnswer, TimeAnswer } from './date-answer.tsx';
import { WarningIcon } from './icons.tsx';
import { PhotoAnswer } from './photo-answer.tsx';
import css from './question.module.css';
import { SignatureAnswer } from './signature-answer.tsx';
import { sayAnswer } from './answer-words.ts';
import { QuantityAnswer, TextAnswer } from './text-answer.tsx';

export interface AnswerProps {
  place: VisibleItem;
  values: readonly Value[];
  /** For the field, or the first of several. */
  id: string;
  describedBy: string | undefined;
  isWrong: boolean;
  onAnswer: (values: readonly Value[]) => void;
}

export interface QuestionProps {
  place: VisibleItem;
  values: readonly Value[];
  problem: Problem | undefined;
  onAnswer: (place: VisibleItem, values: readonly Value[]) => void;
}

const none: readonly Value[] = [];

/** One question: its words, its field, what is wrong with its answer. Drawn again only when one of them changed. */
export const Question = memo(function Question({ place, values = none, problem, onAnswer }: QuestionProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  const { item } = place;
  const hints = item.hints.filter(({ control }) => control !== 'lower' && control !== 'upper');
  const format = entryFormatOf(item, language);
  const error = problem && sayProblem(problem, language);
  const hasHint = hints.length > 0 || format !== '';
  const describedBy = [error && `${id}-error`, hasHint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  const isAlone = isOneField(place);
  const isOptional = !item.required && item.minOccurs === 0 && !item.readOnly;
  const words = (
    <>
      {prefixOf(item, language)} {wordsOf(item, language)}
      {isOptional && <span className={css.optional}> {t`(optional)`}</span>}
    </>
  );
  const below = (
    <>
      {hasHint && (
        <div id={`${id}-hint`} className={css.hint}>
          {hints.map((hint) => (
            <p key={hint.linkId}>{wordsOf(hint, language)}</p>
          ))}
          {format && <p>{format}</p>}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} className={css.error}>
          <WarningIcon size={18} />
          <span>{error}</span>
        </p>
      )}
    </>
  );
  const given = {
    place,
    values,
    id,
    describedBy,
    isWrong: Boolean(error),
    onAnswer: (said: readonly Value[]) => onAnswer(place, said),
  };
  const marks = { className: css.question, 'data-wrong': error ? '' : undefined };
  if (item.readOnly || item.calculated)
    return (
      <dl {...marks}>
        <dt className={css.words}>{words}</dt>
        <dd className={css.fixed}>{values.map((value) => sayAnswer(item, value, language)).join(', ') || '–'}</dd>
        {hasHint && <dd>{below}</dd>}
      </dl>
    );
  if (isAlone)
    return (
      <div {...marks}>
        <label className={css.words} htmlFor={id}>
          {words}
        </label>
        {below}
        <Answer {...given} />
      </div>
    );
  return (
    <fieldset {...marks} aria-describedby={describedBy}>
      <legend className={css.words}>{words}</legend>
      {below}
      <Answer {...given} />
    </fieldset>
  );
});

/** One field that its question can label; everything else is a group. */
function isOneField({ item }: VisibleItem): boolean {
  if (item.repeats && item.options.length === 0) return false;
  if (item.options.length > 0) return item.control === 'drop-down' && !item.repeats && !item.takesOther;
  return (
    ['decimal', 'integer', 'string', 'text', 'url', 'time', 'choice', 'open-choice', 'reference'].includes(item.type) &&
    item.control !== 'slider'
  );
}

function Answer(props: AnswerProps): ReactNode {
  const { item } = props.place;
  if (item.type === 'boolean' || item.options.length > 0 || item.control === 'slider')
    return <ChoiceAnswer {...props} />;
  switch (item.type) {
    case 'attachment':
      return item.signature ? <SignatureAnswer {...props} /> : <PhotoAnswer {...props} />;
    case 'date':
      return <Several {...props} one={DateAnswer} />;
    case 'dateTime':
      return <Several {...props} one={DateTimeAnswer} />;
    case 'time':
      return <Several {...props} one={TimeAnswer} />;
    case 'quantity':
      return <Several {...props} one={QuantityAnswer} />;
    default:
      return <Several {...props} one={TextAnswer} />;
  }
}

export interface OneAnswerProps extends Omit<AnswerProps, 'values' | 'onAnswer'> {
  value: Value | undefined;
  /** What a field is called that has no label of its own. */
  label: string | undefined;
  onValue: (value: Value | undefined) => void;
}

/** The field, or where the question repeats as many as the patient adds. */
function Several({
  one: One,
  values,
  onAnswer,
  ...props
}: AnswerProps & { one: (props: OneAnswerProps) => ReactNode }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { item } = props.place;
  const label = wordsOf(item, language);
  const [first] = values;
  if (!item.repeats)
    return (
      <One
        {...props}
        value={first}
        label={isOneField(props.place) ? undefined : label}
        onValue={(value) => onAnswer(value === undefined ? [] : [value])}
      />
    );
  const shown = values.length === 0 ? [''] : values;
  const mayAdd = shown.length < item.maxOccurs && shown.every((value) => value !== '');
  return (
    <>
      {shown.map((value, i) => (
        <div key={i} className={css.oneOfSeveral}>
          <One
            {...props}
            id={i === 0 ? props.id : `${props.id}-${i}`}
            value={value === '' ? undefined : value}
            label={`${label} ${i + 1}`}
            onValue={(changed) => onAnswer(shown.with(i, changed ?? ''))}
          />
          {shown.length > 1 && (
            <button type="button" className={css.quiet} onClick={() => onAnswer(shown.toSpliced(i, 1))}>
              {t`Remove`}
              <span className={css.unseen}> {`${label} ${i + 1}`}</span>
            </button>
          )}
        </div>
      ))}
      {mayAdd && (
        <button type="button" className={css.add} onClick={() => onAnswer([...shown, ''])}>
          {t`Add another answer`}
        </button>
      )}
    </>
  );
}
