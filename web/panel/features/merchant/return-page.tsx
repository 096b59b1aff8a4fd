import { useLingui } from '@lingui/react/macro';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { CallError } from '#web/kit/call.ts';
import { useSession } from '#web/kit/session.ts';
import { CardIcon } from '#web/icons/card.tsx';
import { Button, buttonClass } from '#web/panel/ui/button.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { StepCard, StepLead } from '#web/panel/ui/step-card.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { isExpired } from './merchant-search.ts';
import { useOpenHostedForm, useSaveIdentity } from './use-merchant.ts';
import css from './merchant.module.css';

const route = getRouteApi('/office/finix-forms');

/** Where the provider's hosted form leads back to: finished, or because its hour was over. */
export function ReturnPage() {
  const { t } = useLingui();
  const search = route.useSearch();
  return <Page title={t`Card payments`}>{isExpired(search) ? <BackAgain /> : <AlmostThere />}</Page>;
}

/** The hour was over. Everything that was entered is kept. */
function BackAgain() {
  const { t } = useLingui();
  return (
    <StepCard icon={CardIcon} title={t`You are back!`}>
      <StepLead>{t`The form was open for an hour and has closed. Your answers were kept: go on where you left off.`}</StepLead>
      <ContinueOnboarding />
    </StepCard>
  );
}

function ContinueOnboarding() {
  const { t } = useLingui();
  const open = useOpenHostedForm();
  return (
    <>
      <ErrorText error={open.error} />
      <div className={css.answers}>
        <Button variant="filled" size="l" block busy={open.isPending || open.isSuccess} onClick={() => open.mutate()}>
          {t`Continue onboarding`}
        </Button>
        <ToApplication />
      </div>
    </>
  );
}

function ToApplication() {
  const { t } = useLingui();
  return (
    <Link to="/apply" className={buttonClass({ size: 'l', block: true })}>
      {t`See the application`}
    </Link>
  );
}

/** Has the server look the identity up at the provider. The server only compares it with the URL's. */
function AlmostThere() {
  const { t } = useLingui();
  const { office } = useSession();
  const { identityId, state } = route.useSearch();
  const save = useSaveIdentity();
  const { mutate } = save;
  const officeId = office?.id;
  const sent = useRef(false);
  useEffect(() => {
    if (!officeId || sent.current) return;
    sent.current = true;
    mutate({ strapi: officeId, identity: identityId ?? null, state: state ?? null });
  }, [mutate, officeId, identityId, state]);

  const retry = () => officeId && mutate({ strapi: officeId, identity: identityId ?? null, state: state ?? null });
  const isUnknown = save.error instanceof CallError && save.error.code === 'identity_not_found';
  const decided = save.data?.identity ? save.data.state : null;
  // Straight from the form it is the step before the last; whoever comes back later finds the decision.
  const isFromForm = identityId !== undefined || state !== undefined;
  const title =
    !isFromForm && decided === 'approved'
      ? t`Card payments are on`
      : !isFromForm && decided === 'rejected'
        ? t`Your application was not approved`
        : t`You are almost there!`;
  return (
    <StepCard icon={CardIcon} title={title} status>
      {(save.isPending || save.isIdle) && <Skeleton height={60} />}
      {save.data && !save.data.identity && (
        <>
          <StepLead>{t`The form is not submitted yet. Your answers were kept: go on where you left off.`}</StepLead>
          <ContinueOnboarding />
        </>
      )}
      {save.data?.identity && (
        <>
          <StepLead>
            {decided === 'approved'
              ? t`The payment provider approved your practice. You can request payments on the Check-in page.`
              : decided === 'rejected'
                ? t`The payment provider did not approve your practice. See the application for what you can do.`
                : decided === 'update-requested'
                  ? t`The payment provider needs more information. See the application for what to do next.`
                  : t`Your application was received. Most are approved within minutes; some take a few days. You don’t have to wait here.`}
          </StepLead>
          <div className={css.answers}>
            <ToApplication />
          </div>
        </>
      )}
      {save.isError && (
        <>
          <ErrorText error={save.error} />
          <div className={css.answers}>
            {!isUnknown && (
              <Button variant="filled" size="l" block onClick={retry}>
                {t`Try again`}
              </Button>
            )}
            <ToApplication />
          </div>
        </>
      )}
    </StepCard>
  );
}
