import { useLingui } from '@lingui/react/macro';
import type { AgreementStatus } from '#contract/agreement.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { Trouble } from '#web/panel/ui/trouble.tsx';
import css from './signing.module.css';
import { useAgreement, useDownload } from './use-agreement.ts';

/** The office's agreement: signed when and by whom, which version, and the document itself. */
export function AgreementPage() {
  const { t } = useLingui();
  const status = useAgreement();
  if (status.data) return <Facts status={status.data} />;
  if (status.isPending)
    return (
      <Card>
        <Skeleton width="40%" height={22} />
        <Skeleton height={120} />
      </Card>
    );
  return (
    <EmptyState
      icon={WarningIcon}
      title={t`The agreement could not be loaded`}
      action={
        <Button busy={status.isFetching} onClick={() => void status.refetch()}>
          {t`Try again`}
        </Button>
      }
    >
      {errorMessage(status.error, t`The server could not be reached.`)}
    </EmptyState>
  );
}

function Facts({ status }: { status: AgreementStatus }) {
  const { t } = useLingui();
  const download = useDownload();
  const { signedAt } = status;
  const agreement = status.agreement?.state === 'signed' ? status.agreement : null;
  const actions = agreement?.file && (
    <Button variant="filled" icon={DownloadIcon} busy={download.isPending} onClick={() => download.mutate()}>
      {t`Download`}
    </Button>
  );
  return (
    <Card title={t`HIPAA business associate agreement`} actions={actions}>
      <div className={css.badge}>
        <StatusBadge tone="green" icon={CheckCircleIcon}>
          {t`Signed`}
        </StatusBadge>
      </div>
      <dl className={css.facts}>
        <dt>{t`Practice`}</dt>
        <dd>
          <bdi>{status.officeName}</bdi>
        </dd>
        {signedAt && (
          <>
            <dt>{t`Signed on`}</dt>
            <dd>
              <Instant at={agreement?.signedAt ?? signedAt} />
            </dd>
          </>
        )}
        {agreement && (
          <>
            <dt>{t`Signed by`}</dt>
            <dd>
              <bdi>{agreement.signerName}</bdi>
            </dd>
            <dt>{t`Email of the signer`}</dt>
            <dd>
              <bdi>{agreement.signerEmail}</bdi>
            </dd>
            <dt>{t`Version of the text`}</dt>
            <dd>{agreement.version}</dd>
          </>
        )}
        {agreement?.file && (
          <>
            <dt>{t`SHA-256 of the document`}</dt>
            <dd className={css.hash}>
              <bdi dir="ltr">{agreement.file.sha256}</bdi>
            </dd>
          </>
        )}
      </dl>
      <Trouble error={download.error} />
      {agreement && !agreement.file && (
        <p className={css.small} role="status">
          {t`The e-signature service is still making the document. It can be downloaded here in a few minutes.`}
        </p>
      )}
      {!agreement && (
        <p className={css.small}>
          {t`This practice was set up by the operator of the installation, who keeps its agreement. There is no document to download here.`}
        </p>
      )}
      {agreement && status.esign === 'local' && (
        <p className={css.small}>
          {t`The document carries this installation's own seal. It is a demonstration: it shows every later change, but it is not a qualified electronic signature.`}
        </p>
      )}
    </Card>
  );
}

/** Day, year and time by the office's clock. */
function Instant({ at }: { at: string }) {
  const language = useLanguage();
  const timeZone = useOfficeZone();
  const words = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    ...(timeZone && { timeZone }),
  }).format(new Date(at));
  return <time dateTime={at}>{words}</time>;
}
