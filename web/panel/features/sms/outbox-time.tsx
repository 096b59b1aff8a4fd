import { Trans } from '@lingui/react/macro';
import type { OutboxText } from '#contract/sms.ts';
import { useTimeName } from './use-time-name.ts';

/** What happened to a text, or will, and when. */
export function OutboxTime({ text: { state, deliveredAt, sentAt, sendAt } }: { text: OutboxText }) {
  const timeName = useTimeName();
  if (deliveredAt !== null) return <Trans>Delivered {timeName(deliveredAt)}</Trans>;
  if (sentAt !== null) return <Trans>Sent {timeName(sentAt)}</Trans>;
  if (state === 'scheduled' || state === 'sending') return <Trans>Goes out {timeName(sendAt)}</Trans>;
  return <Trans>Was to go out {timeName(sendAt)}</Trans>;
}
