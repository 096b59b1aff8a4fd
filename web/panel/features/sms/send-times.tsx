import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { formatPhone } from '#contract/phone-format.ts';
import type { Sms, SmsPreview } from '#contract/sms.ts';
import { Button } from '#web/panel/ui/button.tsx';
import css from './sms.module.css';
import { useTimeName } from './use-time-name.ts';

/** A list of thousands is shown part by part. */
const timesAtOnce = 200;

/** When each person of a list is texted; nothing for one person. */
export function SendTimes({ sms, preview }: { sms: Sms; preview: SmsPreview }) {
  const { t } = useLingui();
  const timeName = useTimeName();
  const [count, setCount] = useState(timesAtOnce);
  if (preview.people < 2) return null;
  const times = preview.rows.flatMap(({ sendAt }, i) =>
    sendAt === null ? [] : [{ i, phone: sms.deliveryOptions[i]?.phoneNumber ?? '', sendAt }],
  );
  const hidden = Math.max(0, times.length - count);
  return (
    <details>
      <summary>{t`When each text goes out`}</summary>
      <ol className={css.times} tabIndex={0} aria-label={t`When each text goes out`}>
        {times.slice(0, count).map(({ i, phone, sendAt }) => (
          <li key={i}>
            <bdi dir="ltr">{formatPhone(phone)}</bdi> · {timeName(sendAt)}
          </li>
        ))}
      </ol>
      {hidden > 0 && <Button onClick={() => setCount(count + timesAtOnce)}>{t`Show more times (${hidden})`}</Button>}
    </details>
  );
}
