import { useLingui } from '@lingui/react/macro';
import { memo, useId, type ReactNode } from 'react';
import { extensionOf, urls } from '#questionnaire/extensions.ts';
import { canBeAnswered, helpOf, isEditable, type FormItem } from '#questionnaire/form-item.ts';
import { entryFormatOf, prefixOf, questionText } from '#questionnaire/form-texts.ts';
import type { VisibleItem } from '#questionnaire/visible-items.ts';
import type { Problem } from '#questionnaire/checking/problems.ts';
import type { Value } from '#questionnaire/values.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import type { AnswerProps, RepeatedAnswerProps } from './answer-props.ts';
import { ChoiceAnswer } from './choice-answer.tsx';
import { ItemMedia, ItemText } from './item-text.tsx';
import { hasMedia, isLongChoice, Later, usePart } from './lazy-parts.ts';
import { ProblemMessage } from './problem-message.tsx';
import css from './question.module.css';
import fields from '#web/questionnaire/ui/field.module.css';
import { SupportLinks } from './support-link.tsx';
import { TextAnswer } from './text-answer.tsx';

export interface QuestionProps {
  place: VisibleItem;
  values: readonly Value[];
  problem: Problem | undefined;
  onAnswer: (place: VisibleItem, values: readonly Value[]) => void;
  /** The answer is what the visit knows about the patient. */
  isPrefilled: boolean;
  /** Its calculation failed, or had a result that it cannot hold. */
  isUncalculated: boolean;
  /** For a calculation that the patient may overwrite. */
  calculation?: { isOverwritten: boolean; onRestore: () => void } | undefined;
}

const none: readonly Value[] = [];

/** One question: its text, its field, and the problem with its answer. Renders again only when one of them changes. */
export const Question = memo(function Question(props: QuestionProps) {
  const { place, values = none, problem, onAnswer, isPrefilled, isUncalculated, calculation } = props;
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  const { item } = place;
  const hints = helpOf(item);
  const format = entryFormatOf(item, language);
  const hasHint = hints.length > 0 || format !== '';
  const describedBy = [problem && `${id}-error`, hasHint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  const isWrong = problem !== undefined && !problem.isWarning;
  const isAlone = isOneField(place);
  const isOptional = !item.required && item.minOccurs === 0 && canBeAnswered(item);
  const questionLabel = (
    <>
      {prefixOf(item, language)} <ItemText item={item} isInline />
      {isOptional && <span className={css.optional}> {t`(optional)`}</span>}
    </>
  );
  const below = (
    <>
      <ItemMedia item={item} />
      <SupportLinks item={item} />
      {hasHint && (
        <div id={`${id}-hint`} className={fields.hint}>
          {hints.map((hint) => (
            <div key={hint.linkId}>
              <ItemText item={hint} /> <SupportLinks item={hint} />
            </div>
          ))}
          {format && <p>{format}</p>}
        </div>
      )}
      {problem && <ProblemMessage id={`${id}-error`} problem={problem} />}
      {calculation && (
        <Later
          part="notes"
          show={({ CalculationNote }) => (
            <CalculationNote {...calculation} isUncalculated={isUncalculated} hasAnswer={values.length > 0} />
          )}
        />
      )}
      {isPrefilled && <Later part="notes" show={({ PrefilledNote }) => <PrefilledNote />} />}
    </>
  );
  const fieldProps = {
    place,
    values,
    id,
    describedBy,
    isWrong,
    onAnswer: (said: readonly Value[]) => onAnswer(place, said),
  };
  const marks = { className: css.question, 'data-wrong': isWrong ? '' : undefined };
  if (!isEditable(item))
    return (
      <dl {...marks}>
        <dt className={css.text}>{questionLabel}</dt>
        <dd className={css.fixed}>
          <Later
            part="notes"
            show={({ FixedAnswer }) => <FixedAnswer item={item} values={values} isUncalculated={isUncalculated} />}
          />
        </dd>
        {(hasHint || problem || hasLinks(item)) && <dd>{below}</dd>}
      </dl>
    );
  if (isAlone)
    return (
      <div {...marks}>
        <label className={css.text} htmlFor={id}>
          {questionLabel}
        </label>
        {below}
        <Answer {...fieldProps} />
      </div>
    );
  return (
    <fieldset {...marks} aria-describedby={describedBy}>
      <legend className={css.text}>{questionLabel}</legend>
      {below}
      <Answer {...fieldProps} />
    </fieldset>
  );
});

/** Whether it has something to read or to look at beside its text. */
const hasLinks = (item: FormItem) => hasMedia(item) || extensionOf(item.source, urls.supportLink) !== undefined;

/** One field that its question can label; everything else is a group. */
function isOneField({ item }: VisibleItem): boolean {
  if (item.repeats && item.options.length === 0) return false;
  if (item.options.length > 0)
    return item.control === 'drop-down' && isLongChoice(item, item.options.length) && !item.repeats && !item.takesOther;
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
      return item.signature ? (
        <Later part="signature" show={({ SignatureAnswer }) => <SignatureAnswer {...props} />} />
      ) : (
        <Later part="photo" show={({ PhotoAnswer }) => <PhotoAnswer {...props} />} />
      );
    case 'date':
      return <Later part="dates" show={({ DateAnswer }) => <Several {...props} one={DateAnswer} />} />;
    case 'dateTime':
      return <Later part="times" show={({ DateTimeAnswer }) => <Several {...props} one={DateTimeAnswer} />} />;
    case 'time':
      return <Later part="times" show={({ TimeAnswer }) => <Several {...props} one={TimeAnswer} />} />;
    case 'quantity':
      return <Later part="quantity" show={({ QuantityAnswer }) => <Several {...props} one={QuantityAnswer} />} />;
    default:
      return <Several {...props} one={TextAnswer} />;
  }
}

/** The field, or where the question repeats as many as the patient adds. */
function Several({ one: One, ...props }: RepeatedAnswerProps) {
  const language = useLanguage();
  const { place, values, onAnswer, ...field } = props;
  const several = usePart(place.item.repeats ? 'several' : null);
  if (place.item.repeats) return several && <several.SeveralAnswers {...props} one={One} />;
  return (
    <One
      {...field}
      place={place}
      value={values[0]}
      label={isOneField(place) ? undefined : questionText(place.item, language)}
      onValue={(value) => onAnswer(value === undefined ? [] : [value])}
    />
  );
}
