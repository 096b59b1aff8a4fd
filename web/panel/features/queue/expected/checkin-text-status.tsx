import { Trans } from '@lingui/react/macro';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { Time } from '#web/kit/format.tsx';
import { TextDeliveryStatus } from '#web/panel/features/queue/texting/text-delivery.tsx';

/** What became of a check-in's newest text: 'Text sent {time}' only once the carrier has taken it. */
export function CheckinTextStatus({ checkin: { text, textSentAt } }: { checkin: SmsCheckin }) {
  if (textSentAt !== null)
    return (
      <Trans>
        Text sent <Time at={textSentAt} />
      </Trans>
    );
  return text && <TextDeliveryStatus state={text.state} problem={text.problem} limitedUntil={text.limitedUntil} />;
}
