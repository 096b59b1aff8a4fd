import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmByCode, readConfirmation, sendConfirmationCode } from '#contract/confirmation.ts';
import { readSupport } from '#contract/support.ts';
import { CodeForm, sentCode, type SentCode } from '#web/panel/features/sign-in/index.ts';
import { call } from '#web/kit/call.ts';
import { sessionQuery } from '#web/kit/session.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './confirmation-page.module.css';

const confirmationKey = ['confirmation'];

/** What a practice may not do until it is confirmed, and the two ways to get confirmed. */
export function ConfirmationPage() {
  const { t } = useLingui();
  const confirmation = useQuery({
    queryKey: confirmationKey,
    queryFn: ({ signal }) => call(readConfirmation, {}, { signal }),
  });
  const { data } = confirmation;
  return (
    <>
      {confirmation.isPending && (
        <Card>
          <Skeleton height={220} />
        </Card>
      )}
      {confirmation.isError && <LoadError title={t`This page could not be loaded`} query={confirmation} />}
      <div role="status" className={css.status}>
        {data?.confirmed && (
          <Banner tone="green" icon={CheckCircleIcon}>
            {t`Your practice is confirmed. You can write your own texts and use your own forms.`}
          </Banner>
        )}
      </div>
      {data && !data.confirmed && (
        <>
          <Limits textsPerDay={data.hasTextNumber ? data.textsPerDay : 0} />
          {data.phoneEnding !== null && <ByPhone ending={data.phoneEnding} />}
          <ByOperator isOnlyWay={data.phoneEnding === null} />
        </>
      )}
    </>
  );
}

function Limits({ textsPerDay }: { textsPerDay: number }) {
  const { t } = useLingui();
  return (
    <Card title={t`Until your practice is confirmed`}>
      <ul className={css.limits}>
        {textsPerDay === 0 ? (
          <li>{t`You cannot send texts yet. Your practice gets its text number when it is confirmed.`}</li>
        ) : (
          <>
            <li>{t`You can send our standard texts, up to ${textsPerDay} a day, but not texts you write yourself.`}</li>
            <li>{t`You can only text patients who have checked in, and your own staff.`}</li>
          </>
        )}
        <li>{t`You can load and preview your own forms, but patients are not asked for them. What a patient has already begun is saved.`}</li>
        <li>{t`Patients can check in. Your check-in page tells them that your practice is new and not confirmed yet.`}</li>
      </ul>
    </Card>
  );
}

/** Sends a code to the practice's phone number in the NPI registry. */
function ByPhone({ ending }: { ending: string }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [sent, setSent] = useState<SentCode>();
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
          <ErrorText error={send.error} />
          <Button variant="filled" busy={send.isPending} onClick={() => send.mutate()}>{t`Text me the code`}</Button>
        </div>
      )}
    </Card>
  );
}

function ByOperator({ isOnlyWay }: { isOnlyWay: boolean }) {
  const { t } = useLingui();
  const support = useQuery({ queryKey: ['support'], queryFn: ({ signal }) => call(readSupport, {}, { signal }) });
  return (
    <Card title={isOnlyWay ? t`How to get confirmed` : t`If you cannot get the code`}>
      <div className={css.way}>
        <p>
          {isOnlyWay
            ? t`We don’t have a number for your NPI that can receive texts. We review every new practice ourselves.`
            : t`If that number is a landline or no longer yours, you do not have to do anything. We review every new practice ourselves.`}
        </p>
        {support.data?.canWrite && <p>{t`In a hurry? Write to us: Settings, Live customer support.`}</p>}
      </div>
    </Card>
  );
}
