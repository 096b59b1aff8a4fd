import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmByCode, readConfirmation, sendConfirmationCode } from '#contract/confirmation.ts';
import { CodeForm, sentCode, type Sent } from '#web/panel/features/sign-in/index.ts';
import { call } from '#web/kit/call.ts';
import { sessionQuery } from '#web/kit/session.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Trouble } from '#web/panel/ui/trouble.tsx';
import { SettingsLayout } from '#web/panel/ui/settings-layout.tsx';
import { errorMessage } from '#web/kit/error-messages.ts';
import css from './confirmation-page.module.css';

const confirmationKey = ['confirmation'];

/** What a practice may not do until it is confirmed, and the two ways to get there. */
export function ConfirmationPage() {
  const { t } = useLingui();
  const confirmation = useQuery({
    queryKey: confirmationKey,
    queryFn: ({ signal }) => call(readConfirmation, {}, { signal }),
  });
  const { data } = confirmation;
  return (
    <SettingsLayout title={t`Confirm your practice`}>
      {confirmation.isPending && (
        <Card>
          <Skeleton height={220} />
        </Card>
      )}
      {confirmation.isError && (
        <EmptyState
          icon={WarningIcon}
          title={t`This page could not be loaded`}
          action={<Button onClick={() => void confirmation.refetch()}>{t`Try again`}</Button>}
        >
          {errorMessage(confirmation.error, t`The server could not be reached.`)}
        </EmptyState>
      )}
      <div role="status" className={css.status}>
        {data?.confirmed && (
          <Banner tone="green" icon={CheckCircleIcon}>
            {t`Your practice is confirmed. You can write your own texts and use your own forms.`}
          </Banner>
        )}
      </div>
      {data && !data.confirmed && (
        <>
          <Limits textsPerDay={data.textsPerDay} />
          {data.phoneEnding !== null && <ByPhone ending={data.phoneEnding} />}
          <ByOperator isOnlyWay={data.phoneEnding === null} />
        </>
      )}
    </SettingsLayout>
  );
}

function Limits({ textsPerDay }: { textsPerDay: number }) {
  const { t } = useLingui();
  return (
    <Card title={t`Until your practice is confirmed`}>
      <ul className={css.limits}>
        <li>{t`You can send our standard texts, up to ${textsPerDay} a day, but not texts you write yourself.`}</li>
        <li>{t`You can only text patients who have checked in, and your own staff.`}</li>
        <li>{t`You can load and preview your own forms, but patients cannot fill them in yet.`}</li>
        <li>{t`Patients can check in. Your check-in page tells them that your practice is new and not confirmed yet.`}</li>
      </ul>
    </Card>
  );
}

/** A code to the phone in the NPI registry. */
function ByPhone({ ending }: { ending: string }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [sent, setSent] = useState<Sent>();
  const request = async () => setSent(sentCode(`••• ••• ••${ending}`, await call(sendConfirmationCode)));
  const send = useMutation({ mutationFn: request });
  const confirm = async (code: string) => {
    cache.setQueryData(confirmationKey, await call(confirmByCode, { body: { code } }));
    await cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  return (
    <Card title={t`Confirm with a code`}>
      {sent ? (
        <CodeForm sent={sent} onConfirm={confirm} onResend={request} />
      ) : (
        <div className={css.way}>
          <p>
            <Trans>
              We will text a code to the phone number that the national NPI registry (NPPES) lists for your practice. It
              ends in {ending}.
            </Trans>
          </p>
          <Trouble error={send.error} />
          <Button variant="filled" busy={send.isPending} onClick={() => send.mutate()}>{t`Text me the code`}</Button>
        </div>
      )}
    </Card>
  );
}

function ByOperator({ isOnlyWay }: { isOnlyWay: boolean }) {
  const { t } = useLingui();
  return (
    <Card title={isOnlyWay ? t`How to get confirmed` : t`If you cannot get the code`}>
      <div className={css.way}>
        <p>
          {isOnlyWay
            ? t`We don’t have a number for your NPI that can receive texts. We review every new practice ourselves.`
            : t`If that number is a landline or no longer yours, you do not have to do anything. We review every new practice ourselves.`}
        </p>
        <p>{t`In a hurry? Write to us: Settings, Live customer support.`}</p>
      </div>
    </Card>
  );
}
