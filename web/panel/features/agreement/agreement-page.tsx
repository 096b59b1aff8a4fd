import { useLingui } from '@lingui/react/macro';
import type { AgreementStatus } from '#contract/agreement.ts';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './signing.module.css';
import { useAgreement, useDownload } from './use-agreement.ts';

/** The office's agreement: when and by whom it was signed, its version, and the document. */
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
  return <LoadError title={t`The agreement could not be loaded`} query={status} />;
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
            <dt>{t`Agreement version`}</dt>
            <dd>{agreement.version}</dd>
          </>
        )}
        {agreement?.file && (
          <>
            <dt>{t`Document fingerprint (SHA-256)`}</dt>
            <dd className={css.hash}>
              <bdi dir="ltr">{agreement.file.sha256}</bdi>
            </dd>
          </>
        )}
      </dl>
      <ErrorText error={download.error} />
      {agreement && !agreement.file && (
        <p className={css.small} role="status">
          {t`The e-signature service is still making the document. It can be downloaded here in a few minutes.`}
        </p>
      )}
      {!agreement && (
        <p className={css.small}>
          {t`We set up this practice for you and have its agreement. There is no document to download here.`}
        </p>
      )}
      {agreement && status.esign === 'local' && (
        <p className={css.small}>
          {t`The document is signed with a demonstration certificate. Every later change shows, but it is not a qualified electronic signature.`}
        </p>
      )}
    </Card>
  );
}

/** Date and time in the office's time zone. */
function Instant({ at }: { at: string }) {
  const language = useLanguage();
  const timeZone = useOfficeZone();
  const text = new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'long',
    timeStyle: 'short',
    ...(timeZone && { timeZone }),
  }).format(new Date(at));
  return <time dateTime={at}>{text}</time>;
}
