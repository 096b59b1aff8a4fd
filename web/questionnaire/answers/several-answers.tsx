import { useLingui } from '@lingui/react/macro';
import { questionText } from '#questionnaire/form-texts.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import css from '#web/questionnaire/question.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import type { RepeatedAnswerProps } from '#web/questionnaire/answer-props.ts';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';

/** A field for each answer to a repeating question, and a button for one more. */
export function SeveralAnswers({ one: One, values, onAnswer, ...props }: RepeatedAnswerProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { item } = props.place;
  const label = questionText(item, language);
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
            <button type="button" className={buttons.link} onClick={() => onAnswer(shown.toSpliced(i, 1))}>
              {t`Remove`}
              <VisuallyHidden> {`${label} ${i + 1}`}</VisuallyHidden>
            </button>
          )}
        </div>
      ))}
      {mayAdd && (
        <button type="button" className={buttons.plain} onClick={() => onAnswer([...shown, ''])}>
          {t`Add another answer`}
        </button>
      )}
    </>
  );
}
