import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { formatPhone } from '#contract/phone-format.ts';
import { Phone } from '#web/kit/format.tsx';
import { IconButton } from '#web/panel/ui/button.tsx';
import { ChevronDownIcon } from '#web/icons/chevron-down.tsx';
import { PencilIcon } from '#web/icons/pencil.tsx';
import { RepeatIcon } from '#web/icons/repeat.tsx';
import { TrashIcon } from '#web/icons/trash.tsx';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { CheckinTextStatus } from './checkin-text-status.tsx';
import css from './expected-patients.module.css';
import { PatientName } from '#web/panel/features/queue/privacy.tsx';
import { useRemoveExpected, useResend } from './use-expected.ts';

/** The E key opens the group and goes to its heading. */
export const expectedId = 'expected';

interface ExpectedProps {
  expected: readonly SmsCheckin[];
  /** A search that finds somebody here opens the group. */
  isSearching: boolean;
  /** Whoever appears while this desk texts somebody opens the group: that is who was texted. */
  isTexting: boolean;
  onCorrect: (checkin: SmsCheckin) => void;
}

/** Patients who were texted and have not arrived. Renders nothing when nobody is expected. */
export function ExpectedPatients({ expected, isSearching, isTexting, onCorrect }: ExpectedProps) {
  const { t } = useLingui();
  // State lives here so that the group is still open when Undo restores its last row.
  const [open, setOpen] = useState(false);
  const group = useRef<HTMLDetailsElement>(null);
  const wasSearching = useRef(isSearching);
  useEffect(() => {
    if (isSearching && !wasSearching.current && expected.length > 0) setOpen(true);
    wasSearching.current = isSearching;
  }, [isSearching, expected]);
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const before = known.current;
    known.current = new Set(expected.map(({ _id }) => _id));
    if (isTexting && expected.some(({ _id }) => !before.has(_id))) setOpen(true);
  }, [expected, isTexting]);
  const removing = useRef<{ id: string; place: number }>(undefined);
  // The row disappears with the focused button: focus the row that replaces it, or the heading.
  useEffect(() => {
    const gone = removing.current;
    if (!gone || expected.some(({ _id }) => _id === gone.id)) return;
    removing.current = undefined;
    if (document.activeElement !== document.body) return;
    const buttons = group.current?.querySelectorAll<HTMLElement>('li > button:last-of-type');
    const next = buttons?.[gone.place] ?? group.current?.querySelector<HTMLElement>('summary');
    (next ?? document.getElementById('queue-list'))?.focus();
  }, [expected]);
  if (expected.length === 0) return null;
  return (
    <details
      ref={group}
      className={css.group}
      id={expectedId}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary aria-keyshortcuts="E">
        <ChevronDownIcon />
        <span>{t({ message: 'Expected', context: 'the group of patients who are expected' })}</span>
        <Counter>{expected.length}</Counter>
      </summary>
      <ul
        className={css.rows}
        aria-label={t({ message: 'Expected', context: 'the group of patients who are expected' })}
      >
        {expected.map((checkin, place) => (
          <Row
            key={checkin._id}
            checkin={checkin}
            onCorrect={onCorrect}
            onRemove={() => (removing.current = { id: checkin._id, place })}
          />
        ))}
      </ul>
    </details>
  );
}

interface RowProps {
  checkin: SmsCheckin;
  onCorrect: ExpectedProps['onCorrect'];
  onRemove: () => void;
}

function Row({ checkin, onCorrect, onRemove }: RowProps) {
  const { t } = useLingui();
  const remove = useRemoveExpected();
  const resend = useResend();
  // One key for the life of the row: pressing twice sends one text.
  const [resent, setResent] = useState('');
  const { text, patientId } = checkin;
  const name = `${patientId.first_name} ${patientId.last_name}`.trim();
  const phone = formatPhone(patientId.phone);
  const busy = resend.isPending || remove.isPending;
  const sendAgain = () => {
    if (busy || resent === text?.id) return;
    setResent(text?.id ?? '');
    resend.mutate(checkin, { onError: () => setResent('') });
  };
  return (
    <li className={css.row}>
      <div className={css.about}>
        <p className={css.who}>
          {name !== '' && (
            <>
              <PatientName name={name} />{' '}
            </>
          )}
          <Phone value={patientId.phone} />
        </p>
        <p className={css.fate} role="status">
          <CheckinTextStatus checkin={checkin} />
        </p>
      </div>
      <IconButton label={t`Send the link again to ${phone}`} icon={RepeatIcon} tip="below-end" onClick={sendAgain} />
      <IconButton
        label={t`Correct the number ${phone}`}
        icon={PencilIcon}
        tip="below-end"
        onClick={() => onCorrect(checkin)}
      />
      <IconButton
        label={t`Remove ${phone}`}
        icon={TrashIcon}
        tip="below-end"
        onClick={() => {
          if (busy) return;
          onRemove();
          remove.mutate(checkin);
        }}
      />
    </li>
  );
}
