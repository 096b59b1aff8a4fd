import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useState } from 'react';
import type { AgreementStatus, SigningLink } from '#contract/agreement.ts';
import { CallError } from '#web/kit/call.ts';
import { openBlankTab } from '#web/kit/open-in-tab.ts';
import { productName } from '#web/kit/title.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { PencilIcon } from '#web/icons/pencil.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Spinner } from '#web/panel/ui/spinner.tsx';
import { BareStep, StepCard, StepLead } from '#web/panel/ui/step-card.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './signing.module.css';
import { SignerFields } from './signer-fields.tsx';
import { useSigner } from './use-signer.ts';
import { SigningFrame } from './signing-frame.tsx';
import { SigningStatus } from './signing-status.tsx';
import { useAgreement, useContinue, useCheckAgreement, useSigningLink } from './use-agreement.ts';

interface SigningPageProps {
  /** Called when the signing cannot continue, for a page that shows that itself. */
  onBroken?: () => void;
  /** Called to correct the practice's name or address; without it there is no such button. */
  onCorrect?: () => void;
}

/** The second step of a new practice: what is signed and why, the signing, and its live status on every device. */
export function SigningPage({ onBroken, onCorrect }: SigningPageProps) {
  const { t } = useLingui();
  const status = useAgreement();
  const { data } = status;
  const tellBroken = useEffectEvent(() => onBroken?.());
  const broken = data === undefined && isBroken(status.error);
  useEffect(() => {
    if (broken) tellBroken();
  }, [broken]);
  if (data?.hellosignComplete) return <ContinueAfterSigning />;
  if (data) return <ToSign status={data} onBroken={onBroken} onCorrect={onCorrect} />;
  if (status.isPending)
    return (
      <BareStep busy>
        <Skeleton width="60%" height={24} />
        <Skeleton height={72} />
        <Skeleton height={52} />
      </BareStep>
    );
  return (
    <BareStep>
      <ErrorText error={status.error} />
      <Button busy={status.isFetching} onClick={() => void status.refetch()}>
        {t`Try again`}
      </Button>
    </BareStep>
  );
}

/** An error that is neither the network's nor the signer's to fix. */
const isBroken = (error: unknown) => error instanceof CallError && error.status >= 500;

function ToSign({ status, onBroken, onCorrect }: SigningPageProps & { status: AgreementStatus }) {
  const { t } = useLingui();
  const link = useSigningLink();
  const look = useCheckAgreement();
  const { agreement, officeId, esign, officeName } = status;
  const [open, setOpen] = useState<SigningLink | null>(null);
  const signer = useSigner(status);
  const running = agreement?.state === 'open' ? agreement.id : null;

  // Makes the server check: it may have been signed in the meantime. The provider's callback cannot reach an installation without a public address.
  useEffect(() => {
    if (running) look({ officeId, esign });
  }, [running, look, officeId, esign]);

  const start = (target: 'frame' | 'tab') => {
    if (!signer.check()) return;
    const tab = target === 'tab' ? openBlankTab() : null;
    link.mutate(
      { officeId, esign, email: signer.email, ...(signer.name && { name: signer.name }) },
      {
        onSuccess: (made) => {
          if (made.url && tab) tab.location.href = made.url;
          else tab?.close();
          setOpen(made.url && !tab ? made : null);
        },
        onError: (error) => {
          tab?.close();
          if (isBroken(error)) onBroken?.();
        },
      },
    );
  };
  const stillPreparing = link.data?.status === 'LOADING';
  const step = nextStepOf(agreement?.state);
  const label = { start: t`Read and sign`, goOn: t`Continue signing`, again: t`Try again` }[step];

  if (open?.url)
    return (
      <SigningFrame
        link={{ ...open, url: open.url }}
        onEvent={() => look({ officeId, esign, afterEvent: true })}
        onError={() => {
          look({ officeId, esign, afterEvent: true });
          onBroken?.();
        }}
        onClose={() => {
          setOpen(null);
          look({ officeId, esign });
        }}
      />
    );
  return (
    <StepCard icon={FormIcon} title={t`Sign the HIPAA agreement`}>
      <StepLead>
        <Trans>
          HIPAA requires a Business Associate Agreement between <bdi>{officeName}</bdi> and {productName} (45 CFR
          164.504(e)).
        </Trans>
      </StepLead>
      <ul className={css.points}>
        <li>{t`Three pages, about three minutes. Someone authorized to sign for the practice reads and signs online.`}</li>
        <li>{t`You can stop at any time and continue later, even on another computer or phone.`}</li>
        <li>{t`You can download the signed document anytime in Settings.`}</li>
      </ul>
      <SigningStatus status={status} />
      <SignerFields signer={signer} />
      <ErrorText error={link.error} />
      {stillPreparing && (
        <p className={css.note} role="alert">
          <WarningIcon /> {t`The document is still being prepared. Please try again in a minute.`}
        </p>
      )}
      <div className={css.actions}>
        <Button variant="filled" size="l" block busy={link.isPending} onClick={() => start('frame')}>
          {label}
        </Button>
        {esign === 'local' && (
          <Button size="l" block locked={link.isPending} onClick={() => start('tab')}>
            {t`Open in a new tab`}
          </Button>
        )}
      </div>
      {onCorrect && (
        <p className={css.correct}>
          {t`Is the name or the address of the practice wrong?`}
          <Button size="s" icon={PencilIcon} onClick={onCorrect}>
            {t`Correct the details`}
          </Button>
        </p>
      )}
      <p className={css.small} role="status">
        {link.isPending ? t`Preparing the document…` : ''}
      </p>
    </StepCard>
  );
}

function nextStepOf(state: string | undefined): 'start' | 'goOn' | 'again' {
  if (state === undefined || state === 'canceled') return 'start';
  return state === 'open' || state === 'asking' ? 'goOn' : 'again';
}

/** Signed: refetches the session, and the gate takes over. */
function ContinueAfterSigning() {
  const { t } = useLingui();
  const goOn = useEffectEvent(useContinue());
  useEffect(() => goOn(), []);
  return (
    <StepCard icon={CheckCircleIcon} title={t`The agreement is signed`} status>
      <StepLead>
        <Spinner /> {t`Your panel opens now.`}
      </StepLead>
    </StepCard>
  );
}
