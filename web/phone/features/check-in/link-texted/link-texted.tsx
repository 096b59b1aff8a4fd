import { useLingui } from '@lingui/react/macro';
import { MessageIcon } from '#web/icons/message.tsx';
import { Notice } from '#web/phone/ui/notice.tsx';

export interface LinkText {
  /** The number, without most of its digits. */
  to: string;
  /** Our latest texts to it were not delivered. */
  failed: boolean;
}

/**
 * This number has a visit already: its link is on the phone, or what to do when it cannot be texted there. It must be true for a number that
 * sent STOP too, and not say so: anybody can type a number.
 */
export function LinkTexted({ to, failed }: LinkText) {
  const { t } = useLingui();
  // Between isolates, or right-to-left text would turn the number around.
  const phone = `\u2066${to}\u2069`;
  if (failed)
    return (
      <Notice icon={MessageIcon} tone="amber" title={t`Please tell the front desk`} focus>
        <p>{t`This number already has a visit today. We could not text its link to ${phone}: our last texts weren’t delivered.`}</p>
      </Notice>
    );
  return (
    <Notice icon={MessageIcon} tone="green" title={t`Check your text messages`} focus>
      <p>{t`This number already has a visit today. We text its link to ${phone} if that number gets our texts. Please open it there.`}</p>
      <p>{t`No text after a few minutes? Please tell the front desk.`}</p>
    </Notice>
  );
}
