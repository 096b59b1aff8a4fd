import { useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, useState, type PointerEvent } from 'react';
import type { KnownForm } from '#contract/forms/settings.ts';
import { useSession } from '#web/kit/session.ts';
import { productName } from '#web/kit/title.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { Checkbox, Select, TextInput } from '#web/panel/ui/field.tsx';
import { CloseIcon } from '#web/icons/close.tsx';
import { EyeIcon } from '#web/icons/eye.tsx';
import { MoreIcon } from '#web/icons/more.tsx';
import { PencilIcon } from '#web/icons/pencil.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { UndoIcon } from '#web/icons/undo.tsx';
import { Menu, MenuItem } from '#web/panel/ui/menu.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { MoveButtons } from './move-buttons.tsx';
import { latestDay, longestName, type RequestedFormDraft, type Problems } from './requested-forms-draft.ts';
import css from './requested-forms.module.css';

interface RequestedFormRowProps {
  draft: RequestedFormDraft;
  /** Undefined if the form no longer exists. */
  form: KnownForm | undefined;
  name: string;
  /** From 1. */
  place: number;
  count: number;
  problems: Problems;
  isFresh: boolean;
  isDragged: boolean;
  handle: { onPointerDown: (event: PointerEvent<HTMLElement>) => void };
  onEdit: (change: Partial<RequestedFormDraft>) => void;
  onMove: (by: 1 | -1) => void;
  onAgain: () => void;
  onTakeOff: () => void;
  onPreview: () => void;
  onReplace: () => void;
  onEditQuestions: () => void;
  onVersionBefore: () => void;
}

/** One form of the list: its name, when it is asked for, and whether it is asked for at all. */
export function RequestedFormRow(props: RequestedFormRowProps) {
  const { draft, form, name, place, count, problems, isFresh, isDragged, handle, onEdit, onMove } = props;
  const { t } = useLingui();
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isWrong = Object.keys(problems).some((field) => field.startsWith(`${draft.key}.`));
  const isLimited = useSession().office?.confirmed === false;
  const isHeld = isLimited && form?.own === true;
  useEffect(() => {
    if (!isFresh) return;
    row.current?.scrollIntoView({ block: 'nearest' });
    row.current?.querySelector<HTMLElement>('input[role=switch]')?.focus();
  }, [isFresh]);

  const when = draft.when === 'checkin' ? t`At check-in` : t`Day ${draft.day} after the visit`;
  const about = [
    !draft.enabled ? t`Not asked for` : isHeld ? t`Not asked for until your practice is confirmed` : when,
    form === undefined
      ? t`no longer available`
      : form.own
        ? t`your own form, version ${form.version}`
        : t`included with ${productName}`,
    isFresh && t`new: save to ask for it`,
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <li
      ref={row}
      className={classNames(css.row, isFresh && css.fresh, isDragged && css.dragged, !draft.enabled && css.off)}
    >
      <span className={css.grip} data-tip={t`Drag to another place`} {...handle} />
      <div className={css.text}>
        <h3 className={css.name}>
          <span className={css.place}>{place}</span>
          <bdi>{name}</bdi>
        </h3>
        <p className={css.about}>{about}</p>
      </div>
      <div>
        <Checkbox
          toggle
          label={<VisuallyHidden>{t`Ask for ${name}`}</VisuallyHidden>}
          checked={draft.enabled}
          onChange={(event) => onEdit({ enabled: event.target.checked })}
        />
      </div>
      <div className={css.buttons}>
        <MoveButtons name={name} place={place} count={count} onMove={onMove} />
        <Button
          size="s"
          className={css.edit}
          aria-expanded={isOpen || isWrong}
          aria-controls={`${id}-fields`}
          aria-label={t`Edit ${name}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t`Edit`}
        </Button>
        <RowMenu {...props} />
      </div>
      {(isOpen || isWrong) && (
        <div id={`${id}-fields`} className={css.fields}>
          <Fields {...props} />
        </div>
      )}
    </li>
  );
}

function Fields({ draft, form, problems, onEdit }: RequestedFormRowProps) {
  const { t } = useLingui();
  const messages = {
    day: t`Enter a day from 0 to ${latestDay}.`,
    twice: t`This form is already on the list for that time.`,
    long: t`Use at most ${longestName} characters.`,
  };
  const errorAt = (field: string) => {
    const problem = problems[`${draft.key}.${field}`];
    return problem && { error: messages[problem] };
  };
  return (
    <>
      <Select
        label={t`When it is asked`}
        value={draft.when}
        {...(draft.when === 'checkin' && errorAt('day'))}
        onChange={(event) =>
          onEdit(
            event.target.value === 'day' ? { when: 'day', day: draft.day || '1' } : { when: 'checkin', day: draft.day },
          )
        }
      >
        <option value="checkin">{t`At check-in`}</option>
        <option value="day">{t`Days after the visit`}</option>
      </Select>
      {draft.when === 'day' && (
        <TextInput
          label={t`Day after the visit`}
          inputMode="numeric"
          autoComplete="off"
          value={draft.day}
          {...errorAt('day')}
          onChange={(event) => onEdit({ day: event.target.value })}
        />
      )}
      {(['en', 'es'] as const).map((language) => (
        <TextInput
          key={language}
          label={language === 'en' ? t`Its name in English` : t`Its name in Spanish`}
          lang={language}
          autoComplete="off"
          placeholder={form?.name[language]}
          value={draft.name[language]}
          {...errorAt(language)}
          onChange={(event) => onEdit({ name: { ...draft.name, [language]: event.target.value } })}
        />
      ))}
    </>
  );
}

function RowMenu({
  name,
  form,
  onAgain,
  onTakeOff,
  onPreview,
  onReplace,
  onEditQuestions,
  onVersionBefore,
}: RequestedFormRowProps) {
  const { t } = useLingui();
  return (
    <Menu
      button={(props) => (
        <IconButton {...props} label={t`More about ${name}`} icon={MoreIcon} variant="subtle" tip="below-end" />
      )}
    >
      {form && (
        <>
          <MenuItem icon={EyeIcon} onSelect={onPreview}>{t`Preview`}</MenuItem>
          {form.own && <MenuItem icon={PencilIcon} onSelect={onEditQuestions}>{t`Edit questions`}</MenuItem>}
          <MenuItem icon={RefreshIcon} onSelect={onReplace}>{t`Replace with a file…`}</MenuItem>
          {form.own && form.version > 1 && (
            <MenuItem icon={UndoIcon} onSelect={onVersionBefore}>{t`Revert to previous version`}</MenuItem>
          )}
          <MenuItem icon={PlusIcon} onSelect={onAgain}>{t`Ask again on another day`}</MenuItem>
        </>
      )}
      <MenuItem icon={CloseIcon} onSelect={onTakeOff}>{t`Remove from list`}</MenuItem>
    </Menu>
  );
}
