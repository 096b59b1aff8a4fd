import { useLingui } from '@lingui/react/macro';
import { Frame } from './frame.tsx';
import { OfflineIcon } from '#web/icons/offline.tsx';
import css from './loading.module.css';
import { Notice } from './notice.tsx';

/** Before the first answer: grey boxes after a moment, or that there is no connection. */
export function Loading({
  failed = false,
  office,
}: {
  failed?: boolean;
  office?: { officeName: string; address: string } | undefined;
}) {
  const { t } = useLingui();
  return (
    <Frame {...office}>
      {failed ? (
        <Notice icon={OfflineIcon} tone="amber" title={t`No connection`}>
          <p>{t`We keep trying. Please stay on this page.`}</p>
        </Notice>
      ) : (
        <div className={css.boxes} role="status">
          <span className={css.words}>{t`One moment…`}</span>
        </div>
      )}
    </Frame>
  );
}
