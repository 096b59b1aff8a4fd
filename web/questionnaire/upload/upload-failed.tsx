import { useLingui } from '@lingui/react/macro';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';

interface UploadFailedProps {
  message: string;
  retry: (() => void) | null;
  /** What the picture is of, for a screen reader where a page has several. */
  name?: string;
}

/** Why a picture was not sent, and the way to send the same one again. */
export function UploadFailed({ message, retry, name }: UploadFailedProps) {
  const { t } = useLingui();
  return (
    <>
      <ErrorMessage>{message}</ErrorMessage>
      {retry && (
        <button type="button" className={buttons.link} onClick={retry}>
          {t`Send it again`}
          {name && <VisuallyHidden> {name}</VisuallyHidden>}
        </button>
      )}
    </>
  );
}
