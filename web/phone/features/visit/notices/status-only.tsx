import { useLingui } from '@lingui/react/macro';
import notice from '#web/phone/ui/notice.module.css';
import css from './status-only.module.css';
import { TextMeTheLink } from './text-me-the-link.tsx';

interface StatusOnlyProps {
  token: string;
  /** The front desk wrote something that this page must not show. */
  hasHiddenTexts: boolean;
}

/** A texted link of this visit is in use, so this one shows the status only; the text opens the rest. */
export function StatusOnly({ token, hasHiddenTexts }: StatusOnlyProps) {
  const { t } = useLingui();
  return (
    <section className={notice.box} aria-labelledby="status-only">
      <h2 id="status-only">{t`To continue, open the link in our text message`}</h2>
      <p>{t`This visit is open on the phone that got our text. There you can fill out forms, read messages and tell us that you are coming in.`}</p>
      <p role="status">{hasHiddenTexts && t`The front desk sent you a text. Please read it on that phone.`}</p>
      <TextMeTheLink token={token} />
    </section>
  );
}

/** The front desk wrote to the visit's number, and this browser has not shown that it is that phone: what it wrote is only there. */
export function HiddenTexts({ token }: { token: string }) {
  const { t } = useLingui();
  return (
    <div className={notice.box}>
      {/* It comes while the page is open, with no live region before it. */}
      <div role="alert" className={css.text}>
        <h2>{t`The front desk sent you a text`}</h2>
        <p>{t`Read it in the text messages of the phone number you gave us. To see messages on this page too, open the link we text you.`}</p>
      </div>
      <TextMeTheLink token={token} />
    </div>
  );
}

/** The front desk requests a payment, and only the phone that got our text may see and pay it. */
export function HiddenPayment({ token }: { token: string }) {
  const { t } = useLingui();
  return (
    <section className={notice.box} aria-labelledby="hidden-payment">
      <h2 id="hidden-payment">{t`The front desk requests a payment`}</h2>
      <p>{t`To see and pay it, open the link we text to the phone number you gave us.`}</p>
      <TextMeTheLink token={token} />
    </section>
  );
}
