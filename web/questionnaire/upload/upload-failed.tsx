import { useLingui } from '@lingui/react/macro';
import fields from '#web/questionnaire/ui/field.module.css';
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
      <p role="alert" className={fields.error}>
        {message}
      </p>
      {retry && (
        <button type="button" className={buttons.link} onClick={retry}>
          {t`Send it again`}
          {name && <VisuallyHidden> {name}</VisuallyHidden>}
        </button>
      )}
    </>
  );
}
