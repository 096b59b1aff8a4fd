import { useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { wordsOf } from '#contract/forms/form.ts';
import { labelOf, optionPrefixOf } from '#contract/forms/options.ts';
import { isCoding, isSame, type Value } from '#contract/forms/values.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import type { AnswerProps } from './question.tsx';
import css from './question.module.css';

interface Choice {
  value: Value;
  label: string;
}

/** More than so many are not read one by one. */
const mostShown = 12;

/** One or several of the answers offered, as large buttons, a list that unfolds, or a list one searches by typing. */
export function ChoiceAnswer(props: AnswerProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { item } = props.place;
  const choices: Choice[] =
    item.type === 'boolean'
      ? [
          { value: true, label: t`Yes` },
          { value: false, label: t`No` },
        ]
      : item.options.length > 0
        ? item.options.map((option) => ({
            value: option.value,
            label: [optionPrefixOf(option), labelOf(option, language)].filter(Boolean).join(' '),
          }))
        : steps(item.min, item.max, item.step);
  if (item.control === 'drop-down' && !item.repeats) return <DropDown {...props} choices={choices} />;
  if (
    item.control === 'autocomplete' ||
    (choices.length > mostShown && item.control !== 'radio-button' && item.control !== 'check-box')
  )
    return <Search {...props} choices={choices} />;
  return <Buttons {...props} choices={choices} />;
}

/** The steps of a slider: a row of numbers hits better than a knob. */
function steps(min: unknown, max: unknown, step = 1): Choice[] {
  const [from, to] = [typeof min === 'number' ? min : 0, typeof max === 'number' ? max : 10];
  const count = Math.min(Math.floor((to - from) / (step > 0 ? step : 1)), 100);
  return Array.from({ length: count + 1 }, (_, i) => from + i * step).map((value) => ({ value, label: String(value) }));
}

type ChoicesProps = AnswerProps & { choices: Choice[] };

const otherThan = (choices: readonly Choice[], values: readonly Value[]) =>
  values.filter((value) => !choices.some((choice) => isSame(choice.value, value)));

function Buttons({ place, values, choices, id, isWrong, onAnswer }: ChoicesProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { item } = place;
  const type = item.repeats ? 'checkbox' : 'radio';
  const [own] = otherThan(choices, values);
  const [isOther, setIsOther] = useState(own !== undefined);
  const isScale = item.control === 'slider';
  const ends = item.hints.filter(({ control }) => control === 'lower' || control === 'upper');
  const toggle = (value: Value, isOn: boolean) => {
    if (!item.repeats) {
      setIsOther(false);
      return onAnswer([value]);
    }
    onAnswer(isOn ? [...values, value] : values.filter((one) => !isSame(one, value)));
  };
  const openOther = (isOn: boolean) => {
    setIsOther(isOn);
    if (!isOn || !item.repeats) onAnswer(values.filter((value) => item.repeats && value !== own));
  };
  const look = isScale ? css.scale : item.type === 'boolean' || item.horizontal ? css.row : css.list;
  return (
    <div>
      <div className={look}>
        {choices.map(({ value, label }, i) => (
          <label key={i} className={css.choice}>
            <input
              type={type}
              name={id}
              id={i === 0 ? id : undefined}
              aria-invalid={(type === 'checkbox' && isWrong) || undefined}
              checked={values.some((one) => isSame(one, value)) && !(type === 'radio' && isOther)}
              onChange={(event) => toggle(value, event.target.checked)}
            />
            <span>{label}</span>
          </label>
        ))}
        {item.takesOther && (
          <label className={css.choice}>
            <input type={type} name={id} checked={isOther} onChange={(event) => openOther(event.target.checked)} />
            <span>{t`Something else`}</span>
          </label>
        )}
      </div>
      {ends.length > 0 && (
        <p className={css.ends}>
          {ends.map((end) => (
            <span key={end.linkId}>{wordsOf(end, language)}</span>
          ))}
        </p>
      )}
      {isOther && (
        <OwnWords
          own={own}
          onWords={(words) => {
            const others = item.repeats ? values.filter((value) => value !== own) : [];
            onAnswer(words === '' ? others : [...others, words]);
          }}
        />
      )}
      {type === 'radio' && !item.required && values.length > 0 && (
        <button type="button" className={css.quiet} onClick={() => onAnswer([])}>
          {t`Clear this answer`}
        </button>
      )}
    </div>
  );
}

function OwnWords({ own, onWords }: { own: Value | undefined; onWords: (words: string) => void }) {
  const { t } = useLingui();
  return (
    <input
      type="text"
      dir="auto"
      className={css.input}
      aria-label={t`In your own words`}
      placeholder={t`In your own words`}
      value={wordsIn(own)}
      onChange={(event) => onWords(event.target.value)}
    />
  );
}

const wordsIn = (value: Value | undefined) =>
  typeof value === 'string' ? value : isCoding(value) ? (value.display ?? '') : '';

const somethingElse = 'other';

function DropDown({ place, values, choices, id, describedBy, isWrong, onAnswer }: ChoicesProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { item } = place;
  const [first] = values;
  const at = choices.findIndex(({ value }) => isSame(value, first));
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
        className={css.input}
        aria-label={item.takesOther ? wordsOf(item, language) : undefined}
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
        {item.takesOther && <option value={somethingElse}>{t`Something else`}</option>}
      </select>
      {isOther && <OwnWords own={first} onWords={(words) => onAnswer(words === '' ? [] : [words])} />}
    </>
  );
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A long list, searched by typing: what is chosen stands above, what fits below, each a large button. */
function Search({ place, values, choices, id, describedBy, isWrong, onAnswer }: ChoicesProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const listId = useId();
  const { item } = place;
  const [typed, setTyped] = useState('');
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const fitting = choices.filter(({ label }) => words.every((word) => fold(label).includes(word)));
  const shown = typed === '' && values.length > 0 ? [] : fitting.slice(0, mostShown);
  const take = (value: Value) => {
    setTyped('');
    onAnswer(item.repeats ? [...values.filter((one) => !isSame(one, value)), value] : [value]);
    document.getElementById(id)?.focus();
  };
  const labelIn = (value: Value) => choices.find((choice) => isSame(choice.value, value))?.label ?? wordsIn(value);
  const says =
    fitting.length === 0
      ? item.takesOther
        ? ''
        : t`Nothing fits. Try another word.`
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
            className={css.quiet}
            onClick={() => onAnswer(values.filter((one) => !isSame(one, value)))}
          >
            {t`Remove`}
            <span className={css.unseen}> {labelIn(value)}</span>
          </button>
        </p>
      ))}
      <input
        id={id}
        type="search"
        className={css.input}
        autoComplete="off"
        dir="auto"
        aria-label={wordsOf(item, language)}
        aria-describedby={describedBy}
        aria-invalid={isWrong || undefined}
        aria-controls={listId}
        placeholder={t`Type to search`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div id={listId} className={css.list}>
        {shown.map(({ value, label }, i) => (
          <button key={i} type="button" className={css.option} onClick={() => take(value)}>
            {label}
          </button>
        ))}
        {item.takesOther && typed.trim() !== '' && (
          <button type="button" className={css.option} onClick={() => take(typed.trim())}>
            {t`Use “${typed.trim()}”`}
          </button>
        )}
      </div>
      <p role="status" className={css.hint}>
        {says}
      </p>
    </div>
  );
}
