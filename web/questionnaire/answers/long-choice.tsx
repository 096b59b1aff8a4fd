import { useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { openLabelOf, questionText } from '#questionnaire/form-texts.ts';
import { isSameValue, type Value } from '#questionnaire/values.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import type { ChoicesProps } from '#web/questionnaire/choice-answer.tsx';
import { maxChoiceButtons } from '#web/questionnaire/lazy-parts.ts';
import css from '#web/questionnaire/question.module.css';
import choiceCss from '#web/questionnaire/ui/choice.module.css';
import fields from '#web/questionnaire/ui/field.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { OwnAnswerInput, textOfValue } from './own-answer.tsx';

const somethingElse = 'other';

/** A list that unfolds. */
export function DropDown({ place, values, choices, id, describedBy, isWrong, onAnswer }: ChoicesProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { item } = place;
  const [first] = values;
  const at = choices.findIndex(({ value }) => isSameValue(value, first));
  const [isOther, setIsOther] = useState(first !== undefined && at < 0);
  const choose = (chosen: string) => {
    const choice = choices[Number(chosen)];
    setIsOther(chosen === somethingElse);
    onAnswer(chosen === '' || !choice ? [] : [choice.value]);
  };
  return (
    <>
      <select
        id={id}
        className={fields.input}
        aria-label={item.takesOther ? questionText(item, language) : undefined}
        aria-describedby={describedBy}
        aria-invalid={isWrong || undefined}
        value={isOther ? somethingElse : at < 0 ? '' : String(at)}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{t`Choose…`}</option>
        {choices.map(({ label }, i) => (
          <option key={i} value={i}>
            {label}
          </option>
        ))}
        {item.takesOther && <option value={somethingElse}>{openLabelOf(item, language) || t`Something else`}</option>}
      </select>
      {isOther && <OwnAnswerInput own={first} onText={(text) => onAnswer(text === '' ? [] : [text])} />}
    </>
  );
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A long list to search by typing: the chosen options above, the matches below, each a large button. */
export function Search({ place, values, choices, id, describedBy, isWrong, onAnswer }: ChoicesProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const listId = useId();
  const { item } = place;
  const [typed, setTyped] = useState('');
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const fitting = choices.filter(({ label }) => words.every((word) => fold(label).includes(word)));
  const shown = typed === '' && values.length > 0 ? [] : fitting.slice(0, maxChoiceButtons);
  const take = (value: Value) => {
    setTyped('');
    onAnswer(item.repeats ? [...values.filter((one) => !isSameValue(one, value)), value] : [value]);
    document.getElementById(id)?.focus();
  };
  const labelIn = (value: Value) =>
    choices.find((choice) => isSameValue(choice.value, value))?.label ?? textOfValue(value);
  const says =
    fitting.length === 0
      ? item.takesOther
        ? ''
        : t`No matches. Try another word.`
      : fitting.length > shown.length && shown.length > 0
        ? t`Type more to see the other ${fitting.length - shown.length}.`
        : '';
  return (
    <div className={css.list}>
      {values.map((value, i) => (
        <p key={i} className={css.chosen}>
          <span>{labelIn(value)}</span>
          <button
            type="button"
            className={buttons.link}
            onClick={() => onAnswer(values.filter((one) => !isSameValue(one, value)))}
          >
            {t`Remove`}
            <VisuallyHidden> {labelIn(value)}</VisuallyHidden>
          </button>
        </p>
      ))}
      <input
        id={id}
        type="search"
        className={fields.input}
        autoComplete="off"
        dir="auto"
        aria-label={questionText(item, language)}
        aria-describedby={describedBy}
        aria-invalid={isWrong || undefined}
        aria-controls={listId}
        placeholder={t`Type to search`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div id={listId} className={css.list}>
        {shown.map(({ value, label }, i) => (
          <button key={i} type="button" className={choiceCss.choice} onClick={() => take(value)}>
            {label}
          </button>
        ))}
        {item.takesOther && typed.trim() !== '' && (
          <button type="button" className={choiceCss.choice} onClick={() => take(typed.trim())}>
            {t`Use “${typed.trim()}”`}
          </button>
        )}
      </div>
      <p role="status" className={fields.hint}>
        {says}
      </p>
    </div>
  );
}
