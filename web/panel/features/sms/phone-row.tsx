import { useLingui } from '@lingui/react/macro';
import { defaultMinutesAhead } from '#contract/sms.ts';
import { CloseIcon } from '#web/icons/close.tsx';
import { TrashIcon } from '#web/icons/trash.tsx';
import { serverNow } from '#web/kit/clock.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { PatientName } from '#web/panel/features/queue/index.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { TextInput } from '#web/panel/ui/field.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import { wallTimeAt } from '#web/kit/office-clock.ts';
import { hasWrongTime, withPhone, withTime, type DraftRow, type ListMode, type RowProblems } from './rows-draft.ts';
import css from './sms.module.css';

interface PhoneRowProps {
  row: DraftRow;
  mode: ListMode;
  problems: RowProblems;
  /** The only row of the form cannot be deleted. */
  isOnly: boolean;
  onChange: (row: DraftRow) => void;
  onRemove: () => void;
}

/** One number and when its text goes out, or its appointment. */
export function PhoneRow({ row, mode, problems, isOnly, onChange, onRemove }: PhoneRowProps) {
  const { t } = useLingui();
  const timeZone = useOfficeZone();
  const phoneError = usePhoneError(row);
  const badCell = row.wrong?.time ?? '';
  const line = row.line ?? 0;
  const timeError =
    mode === 'send-time'
      ? t`Line ${line}: “${badCell}” is not a date and time.`
      : badCell === ''
        ? t`Line ${line} has no appointment time.`
        : t`Line ${line}: “${badCell}” is not a clear time, such as 2:30 PM.`;
  // A time that can be read and is too near or too far.
  const rangeError =
    mode === 'send-time'
      ? t`Choose a time at least 30 minutes and at most 7 days from now.`
      : t`Choose a time in the next 7 days.`;
  const editTime = (time: string | null) => onChange(withTime(row, time));
  return (
    <li className={classNames(css.row, (problems.phone || problems.time) && css.badRow)}>
      {row.name !== '' && (
        <p className={css.rowName}>
          <PatientName name={row.name} />
        </p>
      )}
      <PhoneInput
        label={t`Phone number`}
        autoComplete="off"
        value={row.phone}
        error={problems.phone ? phoneError : undefined}
        onChange={(phone) => onChange(withPhone(row, phone))}
      />
      {mode === 'send-time' && row.time === null && !hasWrongTime(row) ? (
        <Button
          variant="subtle"
          className={css.later}
          onClick={() => editTime(wallTimeAt(serverNow() + defaultMinutesAhead * 60_000, timeZone))}
        >
          {t`+ Schedule for later`}
        </Button>
      ) : (
        <div className={css.time}>
          <TextInput
            type="datetime-local"
            label={mode === 'appointment' ? t`Appointment` : t`Send at`}
            value={row.time ?? ''}
            invalid={problems.time}
            error={hasWrongTime(row) ? timeError : problems.time ? rangeError : undefined}
            onChange={(event) => editTime(event.target.value)}
          />
          {mode === 'send-time' && (
            <IconButton
              label={t`Send now instead`}
              icon={CloseIcon}
              variant="subtle"
              className={css.rowEnd}
              onClick={() => editTime(null)}
            />
          )}
        </div>
      )}
      <IconButton
        label={t`Delete row`}
        icon={TrashIcon}
        variant="subtle"
        tip="below-end"
        className={css.rowEnd}
        aria-disabled={isOnly || undefined}
        onClick={() => !isOnly && onRemove()}
      />
    </li>
  );
}

function usePhoneError({ wrong, line = 0 }: DraftRow): string {
  const { t } = useLingui();
  const { problem, cell = '' } = wrong?.phone ?? {};
  if (problem === 'shortened')
    return t`Line ${line}: Excel shortened this number to “${cell}”. Please enter all ten digits.`;
  if (problem === 'columns')
    return t`Line ${line} needs two columns: phone number, and date and time to send (it may be empty).`;
  if (problem === 'phone') return t`Invalid phone number (line ${line}: “${cell}”)`;
  return t`Invalid phone number`;
}
