import { useLingui } from '@lingui/react/macro';
import { useState, type CSSProperties } from 'react';
import { openLabelOf, questionText } from '#questionnaire/form-texts.ts';
import { labelOf, optionPrefixOf, type Option } from '#questionnaire/options.ts';
import { isSameValue, type Value } from '#questionnaire/values.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { hasOptionMedia, isLongChoice, Later, usePart } from './lazy-parts.ts';
import type { AnswerProps } from './answer-props.ts';
import css from './question.module.css';
import choiceCss from './ui/choice.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';

export interface Choice {
  value: Value;
  label: string;
  option?: Option;
}

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
            option,
            label: [optionPrefixOf(option), labelOf(option, language)].filter(Boolean).join(' '),
          }))
        : steps(item.min, item.max, item.step);
  const isLong = isLongChoice(item, choices.length);
  const long = usePart(isLong ? 'longChoice' : null);
  if (!isLong) return <Buttons {...props} choices={choices} />;
  if (!long) return null;
  return item.control === 'drop-down' && !item.repeats ? (
    <long.DropDown {...props} choices={choices} />
  ) : (
    <long.Search {...props} choices={choices} />
  );
}

/** The steps of a slider: a row of numbers hits better than a knob. */
function steps(min: unknown, max: unknown, step = 1): Choice[] {
  const [from, to] = [typeof min === 'number' ? min : 0, typeof max === 'number' ? max : 10];
  const count = Math.min(Math.floor((to - from) / (step > 0 ? step : 1)), 100);
  return Array.from({ length: count + 1 }, (_, i) => from + i * step).map((value) => ({ value, label: String(value) }));
}

/** Such as 0 to 10: people answer by where a number is, so that the last one must be at the end, in one row or, on a phone, in two. */
const mostInTwoRows = 11;
const mostInOneRow = 6;

export type ChoicesProps = AnswerProps & { choices: Choice[] };

const otherThan = (choices: readonly Choice[], values: readonly Value[]) =>
  values.filter((value) => !choices.some((choice) => isSameValue(choice.value, value)));

function Buttons({ place, values, choices, id, isWrong, onAnswer }: ChoicesProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { item } = place;
  // One box to tick, such as "I agree": nobody expects a radio button on its own.
  const isBox = item.control === 'check-box' && choices.length === 1 && !item.takesOther;
  const type = item.repeats || isBox ? 'checkbox' : 'radio';
  const [own] = otherThan(choices, values);
  const [isOther, setIsOther] = useState(own !== undefined);
  const isScale = item.control === 'slider';
  const media = usePart(hasOptionMedia(item) ? 'rich' : null);
  const ends = item.hints.filter(({ control }) => control === 'lower' || control === 'upper');
  const toggle = (value: Value, isOn: boolean) => {
    if (!item.repeats) {
      setIsOther(false);
      return onAnswer(isBox && !isOn ? [] : [value]);
    }
    onAnswer(isOn ? [...values, value] : values.filter((one) => !isSameValue(one, value)));
  };
  const openOther = (isOn: boolean) => {
    setIsOther(isOn);
    if (!isOn || !item.repeats) onAnswer(values.filter((value) => item.repeats && value !== own));
  };
  const hasTwoRows = isScale && choices.length > mostInOneRow && choices.length <= mostInTwoRows;
  const scale = hasTwoRows ? `${css.scale} ${css.twoRows}` : css.scale;
  const look = isScale ? scale : item.type === 'boolean' || item.horizontal ? css.row : css.list;
  const numbersInRow = { '--numbers': Math.ceil(choices.length / 2), '--all-numbers': choices.length } as CSSProperties;
  return (
    <div>
      <div className={look} style={hasTwoRows ? numbersInRow : undefined}>
        {choices.map(({ value, label, option }, i) => (
          <label key={i} className={choiceCss.choice}>
            <input
              type={type}
              name={id}
              id={i === 0 ? id : undefined}
              aria-invalid={(type === 'checkbox' && isWrong) || undefined}
              checked={values.some((one) => isSameValue(one, value)) && !(type === 'radio' && isOther)}
              onChange={(event) => toggle(value, event.target.checked)}
            />
            <span>
              {media && option && <media.OptionPictures option={option} label={label} />}
              {label}
            </span>
          </label>
        ))}
        {item.takesOther && (
          <label className={choiceCss.choice}>
            <input type={type} name={id} checked={isOther} onChange={(event) => openOther(event.target.checked)} />
            <span>{openLabelOf(item, language) || t`Something else`}</span>
          </label>
        )}
      </div>
      {media && <media.OptionRecordings choices={choices} />}
      {ends.length > 0 && (
        <p className={css.ends}>
          {ends.map((end) => (
            <span key={end.linkId}>
              {isScale && `${(end.control === 'lower' ? choices[0] : choices.at(-1))?.label ?? ''} = `}
              {questionText(end, language)}
            </span>
          ))}
        </p>
      )}
      {isOther && (
        <Later
          part="own"
          show={({ OwnAnswerInput }) => (
            <OwnAnswerInput
              own={own}
              onText={(text) => {
                const others = item.repeats ? values.filter((value) => value !== own) : [];
                onAnswer(text === '' ? others : [...others, text]);
              }}
            />
          )}
        />
      )}
      {type === 'radio' && !item.required && values.length > 0 && (
        <button type="button" className={buttons.link} onClick={() => onAnswer([])}>
          {t`Clear this answer`}
        </button>
      )}
    </div>
  );
}
