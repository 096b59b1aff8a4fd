import type { Conversation } from '#contract/conversations.ts';
import { PatientName, PatientPhone } from '#web/panel/features/queue/index.ts';

/** Who a conversation is with: the patient's name, else the number. */
export function PersonName({ conversation: { properties, phone } }: { conversation: Conversation }) {
  if (properties.patientName !== '') return <PatientName name={properties.patientName} />;
  return <PatientPhone phone={phone ?? ''} />;
}
