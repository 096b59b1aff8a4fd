import { useLingui } from '@lingui/react/macro';
import type { Conversation } from '#contract/conversations/shapes.ts';
import { PatientName, PatientPhone } from '#web/panel/features/queue/index.ts';
import css from './inbox.module.css';

/** Who a conversation is with: the person's name, else the number. */
export function PersonName({ conversation: { properties, phone } }: { conversation: Conversation }) {
  const { t } = useLingui();
  if (properties.patientName !== '') return <PatientName name={properties.patientName} />;
  return phone === null ? t`Unknown` : <PatientPhone phone={phone} />;
}

/** Whether the name is one that a website's visitor gave: it may be any patient's. */
export const isVisitor = ({ channel, properties }: Conversation): boolean =>
  channel === 'web' && properties.patientCode === null;

/** Stands beside the name that a website's visitor gave. */
export function VisitorTag({ conversation }: { conversation: Conversation }) {
  const { t } = useLingui();
  return isVisitor(conversation) && <span className={css.visitor}>{t`Website visitor`}</span>;
}
