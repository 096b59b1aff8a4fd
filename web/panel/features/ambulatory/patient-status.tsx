import { useLingui } from '@lingui/react/macro';
import type { AmbuPatient } from '#contract/ambulatory/shapes.ts';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { PersonIcon } from '#web/icons/person.tsx';
import { textBlockName, TextDeliveryStatus } from '#web/panel/features/queue/index.ts';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import css from './ambulatory.module.css';

/** Whether surveys go out, and if not any more, whether the patient declined. */
export function PatientStatus({ patient: { status, endedBy } }: { patient: Pick<AmbuPatient, 'status' | 'endedBy'> }) {
  const { t } = useLingui();
  if (status === 'active')
    return (
      <StatusBadge tone="green" icon={PersonIcon}>
        {t({ message: 'Active', context: 'a patient' })}
      </StatusBadge>
    );
  if (status === 'pending')
    return (
      <StatusBadge tone="gray" icon={ClockIcon}>
        {t({ message: 'Pending', context: 'a patient' })}
      </StatusBadge>
    );
  return (
    <StatusBadge tone="gray" icon={CloseCircleIcon}>
      {endedBy === 'patient' ? t`Declined by the patient` : t({ message: 'Ended', context: 'a patient' })}
    </StatusBadge>
  );
}

/** Why the patient gets no texts, or what became of the newest one if it did not arrive. */
export function TextTrouble({ patient }: { patient: AmbuPatient }) {
  const { status, textBlock, lastTextState: state, lastTextProblem: problem } = patient;
  if (textBlock !== null) return <p className={css.small}>{textBlockName(textBlock)}</p>;
  const isWrong = state === 'failed' || state === 'held' || state === 'unknown';
  if (state === null || (!isWrong && status !== 'pending')) return null;
  return (
    <p className={css.small}>
      <TextDeliveryStatus state={state} problem={problem} />
    </p>
  );
}
