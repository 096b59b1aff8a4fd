import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { formatPhone } from '#contract/phone-format.ts';
import type { Sms, SmsPreview } from '#contract/sms.ts';
import { sizeOfText } from '#contract/text-segments.ts';
import { useNow } from '#web/kit/clock.ts';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { TextSize } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { ConfirmDialog, Dialog } from '#web/panel/ui/dialog.tsx';
import { goingOut } from './going-out.ts';
import { AlreadyTexted, NotTexted } from './not-texted.tsx';
import type { ListMode } from './rows-draft.ts';
import { SendTimes } from './send-times.tsx';
import css from './sms.module.css';
import { useTimeName } from './use-time-name.ts';
import { ZoneNote } from './zone-note.tsx';

interface ConfirmSendProps {
  sms: Sms;
  preview: SmsPreview;
  mode: ListMode;
  isSending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Before a send: how many people are texted and when, and who of the list is not. */
export function ConfirmSend({ sms, preview, mode, isSending, onConfirm, onClose }: ConfirmSendProps) {
  const { t } = useLingui();
  const { people, leadMinutes } = preview;
  const { segments } = sizeOfText(sms.message.trim());
  const onlyOne = sms.deliveryOptions.length === 1 ? sms.deliveryOptions[0]?.phoneNumber : undefined;
  if (people === 0) return <NobodyTexted preview={preview} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={<Plural value={people} one="Text # person?" other="Text # people?" />}
      confirm={<Plural value={people} one="Text # person" other="Text # people" />}
      busy={isSending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {onlyOne !== undefined && (
        <p>
          <bdi dir="ltr">{formatPhone(onlyOne)}</bdi>
        </p>
      )}
      <blockquote className={css.sheetMessage} dir="auto">
        {sms.message.trim()}
      </blockquote>
      <ul className={css.facts}>
        <NotTexted preview={preview} />
        <QuietHours preview={preview} />
        <li>
          <TextSize text={sms.message} inAll={people > 1 && <> {t`(${segments * people} in all)`}</>} />
        </li>
        {mode === 'appointment' && (
          <li>{t`Each text usually goes out ${leadMinutes} minutes before the appointment.`}</li>
        )}
        <GoingOut preview={preview} />
      </ul>
      <ZoneNote />
      <SendTimes sms={sms} preview={preview} />
    </ConfirmDialog>
  );
}

function NobodyTexted({ preview, onClose }: { preview: SmsPreview; onClose: () => void }) {
  const { t } = useLingui();
  const { alreadyTexted, optedOut, landlines } = preview;
  const footer = (
    <Button variant="filled" data-autofocus onClick={onClose}>
      {t`OK`}
    </Button>
  );
  return (
    <Dialog title={t`No one would be texted`} size="s" role="alertdialog" footer={footer} onClose={onClose}>
      {alreadyTexted > 0 && (
        <p>
          <AlreadyTexted people={alreadyTexted} />
        </p>
      )}
      {optedOut + landlines > 0 && alreadyTexted === 0 && (
        <p>
          {landlines === 0
            ? t`All of these numbers opted out of our texts (STOP).`
            : t`These numbers opted out of our texts (STOP) or are landlines, which cannot get texts.`}
        </p>
      )}
    </Dialog>
  );
}

/** Who would be texted in quiet hours: most wait until these are over, and the others are texted nevertheless, in the demo all of them. */
function QuietHours({ preview: { atNight, sentAtNight } }: { preview: SmsPreview }) {
  const { t } = useLingui();
  const isDemo = usePublicConfig()?.demo ?? false;
  const waiting = Math.max(0, atNight - sentAtNight);
  return (
    <>
      {waiting > 0 && (
        <li>
          <Plural
            value={waiting}
            one="# person is in quiet hours, here or in their area code, and gets the text when these are over."
            other="# people are in quiet hours, here or in their area code, and get the text when these are over."
          />
        </li>
      )}
      {sentAtNight > 0 && (
        <li>
          <Plural
            value={sentAtNight}
            one="# person is texted in quiet hours, here or in their area code."
            other="# people are texted in quiet hours, here or in their area code."
          />
          {isDemo && <> {t`In the demo, quiet hours only warn.`}</>}
        </li>
      )}
    </>
  );
}

/** How many texts go out now, and when the others do. */
function GoingOut({ preview }: { preview: SmsPreview }) {
  const timeName = useTimeName();
  const { atOnce, later, first, last } = goingOut(preview, useNow());
  return (
    <>
      {atOnce > 0 && (
        <li>
          <Plural value={atOnce} one="# text goes out now" other="# texts go out now" />
        </li>
      )}
      {later > 0 && (
        <li>
          {first === last ? (
            <Trans>
              <Plural value={later} one="# text goes out" other="# texts go out" /> {timeName(first)}
            </Trans>
          ) : (
            <Trans>
              <Plural value={later} one="# text goes out" other="# texts go out" /> from {timeName(first)} to{' '}
              {timeName(last)}, at most {preview.perMinute} a minute, so that the replies do not come all at once
            </Trans>
          )}
        </li>
      )}
    </>
  );
}
