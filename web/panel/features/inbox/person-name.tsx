import { useLingui } from '@lingui/react/macro';
import type { Conversation } from '#contract/conversations.ts';
import { PatientName, PatientPhone } from '#web/panel/features/queue/index.ts';

/** Who a conversation is with: the person's name, else the number. */
export function PersonName({ conversation: { properties, phone } }: { conversation: Conversation }) {
  const { t } = useLingui();
  if (properties.patientName !== '') return <PatientName name={properties.patientName} />;
  return phone === null ? t`Unknown` : <PatientPhone phone={phone} />;
}
