import { useLingui } from '@lingui/react/macro';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { LeaveQuestion } from './leave-question.tsx';
import css from './save-bar.module.css';

interface SaveBarProps {
  changed: boolean;
  saving: boolean;
  /** Why the last save failed; undefined if it did not. */
  failed: string | undefined;
  onDiscard: () => void;
  /** What would be lost by leaving, in a sentence. */
  lost: string;
}

/** The footer of a form of settings: it stays on screen, shows whether everything is saved, and asks before unsaved changes are lost. */
export function SaveBar({ changed, saving, failed, onDiscard, lost }: SaveBarProps) {
  const { t } = useLingui();
  return (
    <>
      <div className={css.end}>
        {failed !== undefined && (
          <div className={css.failed}>
            <Banner tone="red">{t`Not saved: ${failed} What you typed is still here.`}</Banner>
          </div>
        )}
        <span className={css.state} role="status">
          {changed ? t`Unsaved changes` : t`All changes saved`}
        </span>
        {changed && !saving && <Button onClick={onDiscard}>{t`Discard`}</Button>}
        <Button type="submit" variant="filled" busy={saving} locked={!changed}>
          {t`Save`}
        </Button>
      </div>
      <LeaveQuestion unsaved={changed} lost={lost} />
    </>
  );
}
