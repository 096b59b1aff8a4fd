import { useLingui } from '@lingui/react/macro';
import { useState, type FormEvent } from 'react';
import { isInRange, longestText, type OutboxText } from '#contract/sms.ts';
import { serverNow } from '#web/kit/clock.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { useTooLong } from '#web/kit/too-long.ts';
import { TextSize } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { TextArea, TextInput } from '#web/panel/ui/field.tsx';
import { instantOfWallTime, wallTimeAt } from '#web/kit/office-clock.ts';
import css from './sms.module.css';
import { useChangeText } from './use-outbox.ts';
import { ZoneNote } from './zone-note.tsx';

/** Changes the body or the time of a text that waits to be sent. */
export function EditText({ text, onClose }: { text: OutboxText; onClose: () => void }) {
  const { t } = useLingui();
  const timeZone = useOfficeZone();
  const before = wallTimeAt(Date.parse(text.sendAt), timeZone);
  const [message, setMessage] = useState(text.body);
  const [sendAt, setSendAt] = useState(before);
  const [tried, setTried] = useState(false);
  const change = useChangeText();

  const at = instantOfWallTime(sendAt, timeZone);
  const isOtherTime = sendAt !== before;
  const isBadTime = isOtherTime && (at === null || !isInRange(new Date(at), new Date(serverNow())));
  const isEmpty = message.trim() === '';
  const tooLong = useTooLong(message, longestText);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isBadTime || isEmpty || tooLong !== undefined || change.isPending) return;
    change.mutate(
      {
        id: text.id,
        ...(message !== text.body && { message }),
        ...(isOtherTime && at !== null && { sendAt: new Date(at).toISOString() }),
      },
      { onSuccess: onClose },
    );
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t`Close`}</Button>
      <Button type="submit" form="edit-text" variant="filled" busy={change.isPending}>
        {t`Save`}
      </Button>
    </>
  );
  return (
    <Dialog title={t`Change the text`} onClose={onClose} footer={footer} size="s">
      <form id="edit-text" className={css.form} onSubmit={save} noValidate>
        <TextArea
          label={t`Message`}
          hint={<TextSize text={message} />}
          value={message}
          rows={4}
          error={tried && isEmpty ? t`Please write a message first.` : tooLong}
          onChange={(event) => setMessage(event.target.value)}
        />
        <TextInput
          type="datetime-local"
          label={t`Send at`}
          value={sendAt}
          error={
            tried && isBadTime
              ? t`Scheduled dates must be at least 30 minutes from now and no more than 7 days from now.`
              : undefined
          }
          onChange={(event) => setSendAt(event.target.value)}
        />
        <ZoneNote />
        <p className={css.errors} role="alert">
          {change.error && errorMessage(change.error, t`The server could not be reached. Try again.`)}
        </p>
      </form>
    </Dialog>
  );
}
