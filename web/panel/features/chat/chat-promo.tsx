import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { errorMessage } from '#web/kit/error-messages.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import css from './chat.module.css';
import { useChatRequest } from './use-feature-request.ts';

/** What a practice without the website chat sees: what it would do, and a way to ask for it. */
export function ChatPromo() {
  const { t } = useLingui();
  const { requests, request, isRequested: isInLine } = useChatRequest();
  return (
    <Page title={t`Handle Patient Messaging From Your Website`}>
      <div className={css.promo}>
        <span className={css.promoIcon}>
          <MessageIcon size={32} />
        </span>
        <p>
          {t`This feature is in development. Visitors of your website will be able to ask a question without a phone call, and your front desk will answer here.`}
        </p>
        {requests.isError && !requests.data ? (
          <LoadError title={t`Your request could not be loaded`} query={requests} />
        ) : (
          <p className={css.inLine} role="status">
            {isInLine && (
              <>
                <CheckCircleIcon />
                {/* The specification's text. */}
                {t`You're in line!`}
              </>
            )}
          </p>
        )}
        {requests.data && !isInLine && (
          <Button variant="filled" busy={request.isPending} onClick={() => request.mutate()}>
            {t`Request Feature`}
          </Button>
        )}
        <p>
          <Trans>
            Don’t want to wait? <Link to="/dashboard/settings/widget">Turn on the website chat</Link> in Settings and
            try what is there.
          </Trans>
        </p>
        {request.error && (
          <Banner tone="red">
            {errorMessage(request.error, t`The server could not be reached. Nothing was changed.`)}
          </Banner>
        )}
      </div>
    </Page>
  );
}
