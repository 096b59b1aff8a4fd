import { Trans, useLingui } from '@lingui/react/macro';
import type { AgreementStatus } from '#contract/agreement.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { formatDay, formatTime } from '#web/kit/format.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';

/** The status of the signature request, if there is one to show. */
export function SigningStatus({ status: { agreement } }: { status: AgreementStatus }) {
  const { t } = useLingui();
  if (!agreement) return null;
  const { state, signerEmail, askedAt, declineReason, viewedAt } = agreement;
  if (state === 'open')
    return (
      <Banner>
        {viewedAt ? (
          <Trans>
            Opened for <bdi>{signerEmail}</bdi> on <When at={viewedAt} />, not signed yet. This page updates
            automatically.
          </Trans>
        ) : (
          <Trans>
            Sent to <bdi>{signerEmail}</bdi> on <When at={askedAt} />. Not opened yet.
          </Trans>
        )}
      </Banner>
    );
  if (state === 'declined')
    return (
      <Banner tone="amber">
        {t`Signing was declined.`}{' '}
        {declineReason && (
          <Trans>
            Reason: <q>{declineReason}</q>
          </Trans>
        )}
      </Banner>
    );
  if (state === 'expired')
    return <Banner tone="amber">{t`The last request expired before it was signed. Ask for a new one.`}</Banner>;
  if (state === 'failed')
    return <Banner tone="red">{t`The e-signature service could not take the last request. Please try again.`}</Banner>;
  return null;
}

function When({ at }: { at: string }) {
  const language = useLanguage();
  return (
    <time dateTime={at}>
      {formatDay(at, language)} <bdi dir="ltr">{formatTime(at, language)}</bdi>
    </time>
  );
}
