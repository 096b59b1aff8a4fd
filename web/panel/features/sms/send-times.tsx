import { useLingui } from '@lingui/react/macro';
import { formatPhone } from '#contract/phone-format.ts';
import type { Sms, SmsPreview } from '#contract/sms.ts';
import css from './sms.module.css';
import { useTimeName } from './use-time-name.ts';

/** Times listed in the sheet; the outbox has all of them. */
const listedTimes = 200;

/** When each person of a list is texted; nothing for one person. */
export function SendTimes({ sms, preview }: { sms: Sms; preview: SmsPreview }) {
  const { t } = useLingui();
  const timeName = useTimeName();
  if (preview.people < 2) return null;
  const times = preview.rows.flatMap(({ sendAt }, i) =>
    sendAt === null ? [] : [{ i, phone: sms.deliveryOptions[i]?.phoneNumber ?? '', sendAt }],
  );
  return (
    <details>
      <summary>{t`When each text goes out`}</summary>
      <ol className={css.times} tabIndex={0} aria-label={t`When each text goes out`}>
        {times.slice(0, listedTimes).map(({ i, phone, sendAt }) => (
          <li key={i}>
            <bdi dir="ltr">{formatPhone(phone)}</bdi> · {timeName(sendAt)}
          </li>
        ))}
      </ol>
      {times.length > listedTimes && <p className={css.note}>{t`and ${times.length - listedTimes} more`}</p>}
    </details>
  );
}
