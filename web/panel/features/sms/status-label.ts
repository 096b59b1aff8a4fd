import { t } from '@lingui/core/macro';
import type { SmsCheckin } from '#contract/sms-checkin.ts';

type LabelSource = Pick<SmsCheckin, 'status' | 'label' | 'arrivedAt' | 'autoInviteAt'>;

/** The name of a check-in's status; empty for a patient who has not arrived. `time` is the one of the automatic invitation. */
export function statusLabel(
  { status, label, arrivedAt, autoInviteAt }: LabelSource,
  now: number,
  time: string,
): string {
  if (status === 'WAIT') {
    if (arrivedAt === null) return '';
    if (autoInviteAt === null) return t`Waiting`;
    return Date.parse(autoInviteAt) > now ? t`Will auto-invite at ${time}` : t`Will auto-invite patient`;
  }
  const labels: Record<string, string> = {
    going: t`Is on the way`,
    ontheway: t`Is on the way`,
    invited: t`Invited`,
    cancelled: t({ message: 'Canceled', context: 'a visit' }),
    patient_cancelled: t`Canceled by the patient`,
    doctor_cancelled: t`Moved to history`,
    patient_done: t`Done!`,
  };
  return labels[label] ?? '';
}
