import { useLingui } from '@lingui/react/macro';
import { PlusIcon } from '#web/icons/plus.tsx';
import { TrashIcon } from '#web/icons/trash.tsx';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { MoveButtons } from '#web/panel/features/forms-settings/index.ts';
import { classNames } from '#web/panel/ui/class-names.ts';
import { Checkbox, TextInput } from '#web/panel/ui/field.tsx';
import css from './editor.module.css';
import { canBeRequired, isChoice, newOption, type DraftProblem, type Entry, type Option } from './form-draft.ts';
import { TextsField } from './texts-field.tsx';
import { useKindNames } from './use-kind-names.ts';

interface EntryFieldsProps {
  entry: Entry;
  /** From 1. */
  place: number;
  count: number;
  problems: Record<string, DraftProblem>;
  onChange: (entry: Entry) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
  onRemoveOption: (at: number) => void;
}

/** One section, question, text or score: its wording, whether it must be answered, its options. */
export function EntryFields({ entry, place, count, problems, onChange, onMove, ...on }: EntryFieldsProps) {
  const { t } = useLingui();
  const { linkId, kind, text, required, options } = entry;
  const name = `${place}. ${useKindNames()[kind]}`;
  const setOptions = (next: Option[]) => onChange({ ...entry, options: next });
  return (
    <li className={classNames(css.entry, kind === 'group' && css.section)} aria-label={name}>
      <div className={css.top}>
        <h3 className={css.name}>{name}</h3>
        <div className={css.buttons}>
          <MoveButtons name={name} place={place} count={count} onMove={onMove} />
          <IconButton
            label={t`Delete ${name}`}
            icon={TrashIcon}
            variant="subtle"
            tip="below-end"
            onClick={on.onRemove}
          />
        </div>
      </div>
      <TextsField
        label={t`Wording`}
        value={text}
        problem={problems[linkId]}
        onChange={(next) => onChange({ ...entry, text: next })}
      />
      {kind === 'score' && <p className={css.note}>{t`Adds up the points of the chosen options.`}</p>}
      {isChoice(kind) && (
        <div className={css.options} role="group" aria-label={t`Options of ${name}`}>
          {options.map((option, at) => (
            <OptionFields
              key={option.code}
              option={option}
              place={at + 1}
              problem={(field) => problems[`${linkId}.${option.code}${field}`]}
              onChange={(next) => setOptions(options.with(at, next))}
              onRemove={() => on.onRemoveOption(at)}
            />
          ))}
          <div>
            <Button size="s" icon={PlusIcon} onClick={() => setOptions([...options, newOption()])}>
              {t`Add an option`}
            </Button>
          </div>
        </div>
      )}
      {canBeRequired(kind) && (
        <Checkbox
          label={t`Must be answered`}
          checked={required}
          onChange={(event) => onChange({ ...entry, required: event.target.checked })}
        />
      )}
    </li>
  );
}

interface OptionFieldsProps {
  option: Option;
  place: number;
  problem: (field: '' | '.points') => DraftProblem | undefined;
  onChange: (option: Option) => void;
  onRemove: () => void;
}

function OptionFields({ option, place, problem, onChange, onRemove }: OptionFieldsProps) {
  const { t } = useLingui();
  return (
    <div className={css.option}>
      <TextsField
        label={t`Option ${place}`}
        value={option.text}
        problem={problem('')}
        onChange={(text) => onChange({ ...option, text })}
      />
      <TextInput
        label={t`Points`}
        aria-label={t`Points of option ${place}`}
        inputMode="decimal"
        autoComplete="off"
        value={option.points}
        {...(problem('.points') && { error: t`Enter a number.` })}
        onChange={(event) => onChange({ ...option, points: event.target.value })}
      />
      <IconButton
        label={t`Delete option ${place}`}
        icon={TrashIcon}
        variant="subtle"
        tip="below-end"
        onClick={onRemove}
      />
    </div>
  );
}
