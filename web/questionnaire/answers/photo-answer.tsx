import { useLingui } from '@lingui/react/macro';
import { useRef, type ChangeEvent } from 'react';
import { questionText } from '#questionnaire/form-texts.ts';
import type { Attachment } from '#questionnaire/questionnaire.ts';
import { useConnection } from '#web/kit/connection.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { useFormEnvironment } from '#web/questionnaire/form-context.ts';
import { CameraIcon } from '#web/icons/camera.tsx';
import type { AnswerProps } from '#web/questionnaire/answer-props.ts';
import css from '#web/questionnaire/question.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { UploadFailed } from '#web/questionnaire/upload/upload-failed.tsx';
import { useUpload } from '#web/questionnaire/upload/use-upload.ts';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';

/** Photos by the phone's camera, shown as they are stored; a tap retakes one. */
export function PhotoAnswer({ place, values, id, describedBy, onAnswer }: AnswerProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { pictureUrl } = useFormEnvironment();
  const { lost } = useConnection();
  const { item } = place;
  const name = questionText(item, language);
  const photos = values as readonly Attachment[];
  const camera = useRef<HTMLInputElement>(null);
  const album = useRef<HTMLInputElement>(null);
  const { progress, failed, start } = useUpload('photo', (file) => onAnswer(item.repeats ? [...photos, file] : [file]));
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [picture] = target.files ?? [];
    target.value = '';
    if (picture) start(picture);
  };
  const percent = Math.round((progress ?? 0) * 100);
  const mayTake = photos.length === 0 || item.repeats;
  return (
    <div className={css.photo}>
      {photos.map((photo, i) => (
        <figure key={photo.url ?? i} className={css.picture}>
          <img src={pictureUrl(photo)} alt={t`${name}: your photo`} />
          <button
            type="button"
            className={buttons.link}
            onClick={() => onAnswer(photos.filter((one) => one !== photo))}
          >
            {t`Remove`}
            <VisuallyHidden> {name}</VisuallyHidden>
          </button>
        </figure>
      ))}
      {progress !== null && (
        <div className={css.upload}>
          <progress max={100} value={percent} aria-label={t`Sending the photo`} />
          <p role="status">
            {lost
              ? t`No connection. We’ll send the photo when you’re back online. Please stay on this page.`
              : percent < 100
                ? t`Sending the photo…`
                : t`Almost there…`}
          </p>
        </div>
      )}
      {failed && <UploadFailed {...failed} name={name} />}
      <div className={css.photoButtons}>
        <button
          type="button"
          id={id}
          className={`${buttons.plain} ${css.take}`}
          aria-describedby={describedBy}
          onClick={() => camera.current?.click()}
        >
          <CameraIcon size={24} />
          {mayTake ? (photos.length > 0 ? t`Take another photo` : t`Take a photo`) : t`Retake`}
          <VisuallyHidden> {name}</VisuallyHidden>
        </button>
        <button type="button" className={buttons.link} onClick={() => album.current?.click()}>
          {t`Upload from photos`}
          <VisuallyHidden> {name}</VisuallyHidden>
        </button>
      </div>
      <input ref={camera} hidden type="file" accept="image/*" capture="environment" onChange={take} />
      <input ref={album} hidden type="file" accept="image/jpeg,image/png,image/webp" onChange={take} />
    </div>
  );
}
