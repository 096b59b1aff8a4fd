import { useLingui } from '@lingui/react/macro';
import css from '#web/questionnaire/question.module.css';

interface UploadFailedProps {
  words: string;
  retry: (() => void) | null;
  /** What the picture is of, for a screen reader where a page has several. */
  name?: string;
}

/** Why a picture was not sent, and the way to send the same one again. */
export function UploadFailed({ words, retry, name }: UploadFailedProps) {
  const { t } = useLingui();
  return (
    <>
      <p role="alert" className={css.error}>
        {words}
      </p>
      {retry && (
        <button type="button" className={css.quiet} onClick={retry}>
          {t`Send it again`}
          {name && <span className={css.unseen}> {name}</span>}
        </button>
      )}
    </>
  );
}
