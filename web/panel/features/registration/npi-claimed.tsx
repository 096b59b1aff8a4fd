import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { formatPhone } from '#contract/phone-format.ts';
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
          <Trans>
            We asked the people of this practice by email. They can invite {address}: you will hear from them, and your
            next sign-in leads to their practice.
          </Trans>
        </p>
      </div>
    );
  return (
    <div ref={notice} tabIndex={-1} className={css.claimed} role="alert">
      <WarningIcon />
      <div className={css.words}>
        <p className={css.title}>{t`A practice with the NPI ${npi} is registered with ${productName} already.`}</p>
        <p>
          <Trans>
            If it is yours, the people there can let you in: we email them your address, {address}. If it is not, check
            the NPI. We have been told either way and look into it.
          </Trans>
        </p>
        <ErrorText error={ask.error} />
        <Button busy={ask.isPending} onClick={() => ask.mutate(npi)}>
          {t`Ask them to let me in`}
        </Button>
      </div>
    </div>
  );
}
