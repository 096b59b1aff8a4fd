import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { formatPhone } from '#contract/phone-format.ts';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { useSession } from '#web/kit/session.ts';
import { productName } from '#web/kit/title.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './npi-claimed.module.css';
import { useAskToJoin } from './use-register.ts';

/** The NPI belongs to a registered practice; its staff can invite this person. */
export function NpiClaimed({ npi }: { npi: string }) {
  const { t } = useLingui();
  const { person } = useSession();
  const operatorHasEmail = usePublicConfig()?.operatorHasEmail;
  const ask = useAskToJoin();
  const notice = useRef<HTMLDivElement>(null);
  // Moves the focus from the clicked button to the notice that replaces it.
  useEffect(() => notice.current?.focus(), [ask.isSuccess]);
  const address = <strong className={css.address}>{person?.email ?? formatPhone(person?.phone ?? '')}</strong>;
  if (ask.isSuccess)
    return (
      <div ref={notice} tabIndex={-1} className={css.asked} role="status">
        <CheckCircleIcon />
        <p>
          {ask.data.asked ? (
            <Trans>We’ll email the practice. Once a colleague invites {address}, sign in again to join.</Trans>
          ) : (
            t`You already belong to this practice. Sign in again to open it.`
          )}
        </p>
      </div>
    );
  return (
    <div ref={notice} tabIndex={-1} className={css.claimed} role="alert">
      <WarningIcon />
      <div className={css.text}>
        <p className={css.title}>{t`NPI ${npi} is already registered with ${productName}.`}</p>
        <p>
          <Trans>
            If this is your practice, ask a colleague to add you: we’ll email them your address, {address}. If it isn’t,
            check the NPI.
          </Trans>
          {operatorHasEmail && ` ${t`Our team has been notified.`}`}
        </p>
        <ErrorText error={ask.error} />
        <Button busy={ask.isPending} onClick={() => ask.mutate(npi)}>
          {t`Ask them to let me in`}
        </Button>
      </div>
    </div>
  );
}
