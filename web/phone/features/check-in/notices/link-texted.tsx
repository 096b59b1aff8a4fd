import { useLingui } from '@lingui/react/macro';
import { MessageIcon } from '#web/icons/message.tsx';
import { Notice } from '#web/phone/ui/notice.tsx';

export interface LinkText {
  /** The number, without most of its digits. */
  to: string;
  /** Why the link could not be texted; null when it was. */
  problem: 'opted-out' | 'failed' | null;
}

/** This number has a visit already: its link is on the phone, or what to do when it cannot be texted there. */
export function LinkTexted({ to, problem }: LinkText) {
  const { t } = useLingui();
  // Between isolates, or right-to-left text would turn the number around.
  const phone = `\u2066${to}\u2069`;
  if (problem !== null)
    return (
      <Notice icon={MessageIcon} tone="amber" title={t`Please tell the front desk`} focus>
        <p>
          {problem === 'opted-out'
            ? t`This number already has a visit today. We could not text its link to ${phone}: this number opted out of texts (STOP).`
            : t`This number already has a visit today. We could not text its link to ${phone}: our last texts weren’t delivered.`}
        </p>
        {problem === 'opted-out' && (
          <p>{t`To get texts again, answer START to an earlier text from this practice and try again.`}</p>
        )}
      </Notice>
    );
  return (
    <Notice icon={MessageIcon} tone="green" title={t`Check your text messages`} focus>
      <p>{t`This number already has a visit today. We texted its link to ${phone}. Please open it there.`}</p>
      <p>{t`No text after a few minutes? Please tell the front desk.`}</p>
    </Notice>
  );
}
