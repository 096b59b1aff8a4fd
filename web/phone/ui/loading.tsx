import { useLingui } from '@lingui/react/macro';
import { Frame } from './frame.tsx';
import { visuallyHidden } from '#web/kit/visually-hidden.tsx';
import { OfflineIcon } from '#web/icons/offline.tsx';
import css from './loading.module.css';
import { Notice } from './notice.tsx';

/** The page before the first answer: gray boxes after a moment, or the notice that there is no connection. */
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
        <LoadingBoxes message={t`One moment…`} />
      )}
    </Frame>
  );
}

/** Gray boxes where text will be, shown after a moment; `message` is for screen readers. */
export function LoadingBoxes({ message }: { message: string }) {
  return (
    <div className={css.boxes} role="status">
      <span className={visuallyHidden}>{message}</span>
    </div>
  );
}
