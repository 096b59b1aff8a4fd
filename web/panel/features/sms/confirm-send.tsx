import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { formatPhone } from '#contract/phone-format.ts';
import type { Sms, SmsPreview } from '#contract/sms.ts';
import { sizeOfText } from '#contract/text-segments.ts';
import { ConfirmDialog } from '#web/panel/ui/dialog.tsx';
import { TextSize } from './message-field.tsx';
import type { ListMode } from './rows-draft.ts';
import css from './sms.module.css';
import { useTimeName } from './use-time-name.ts';

/** Times listed in the sheet; the outbox has all of them. */
const listedTimes = 200;

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
  const timeName = useTimeName();
  const {
    people,
    duplicates,
    alreadyTexted,
    optedOut,
    landlines,
    textedBefore,
    atNight,
    firstSendAt,
    lastSendAt,
    perMinute,
    leadMinutes,
  } = preview;
  const { segments } = sizeOfText(sms.message.trim());
  const times = preview.rows.flatMap(({ sendAt }, i) =>
    sendAt === null ? [] : [{ i, phone: sms.deliveryOptions[i]?.phoneNumber ?? '', sendAt }],
  );
  const title = <Plural value={people} one="Text # person?" other="Text # people?" />;
  if (people === 0)
    return (
      <ConfirmDialog title={t`Nobody would be texted`} confirm={t`OK`} onConfirm={onClose} onClose={onClose}>
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
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      title={title}
      confirm={<Plural value={people} one="Text # person" other="Text # people" />}
      busy={isSending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <ul className={css.facts}>
        {duplicates > 0 && (
          <li>
            <Plural
              value={duplicates}
              one="# row repeats a number: each person gets one text."
              other="# rows repeat a number: each person gets one text."
            />
          </li>
        )}
        {alreadyTexted > 0 && (
          <li>
            <AlreadyTexted people={alreadyTexted} />
          </li>
        )}
        {optedOut > 0 && (
          <li>
            <Plural
              value={optedOut}
              one="# number opted out (STOP) and gets no text."
              other="# numbers opted out (STOP) and get no text."
            />
          </li>
        )}
        {landlines > 0 && (
          <li>
            <Plural
              value={landlines}
              one="# number is a landline and cannot get texts."
              other="# numbers are landlines and cannot get texts."
            />
          </li>
        )}
        {textedBefore > 0 && (
          <li>
            <Plural
              value={textedBefore}
              one="# person got this message within a day already."
              other="# people got this message within a day already."
            />
          </li>
        )}
        {atNight > 0 && (
          <li>
            <Plural
              value={atNight}
              one="# person is texted in quiet hours, here or in their area code."
              other="# people are texted in quiet hours, here or in their area code."
            />
          </li>
        )}
        <li>
          <TextSize text={sms.message} />
          {people > 1 && <> {t`(${segments * people} in all)`}</>}
        </li>
        {mode === 'appointment' && <li>{t`Each text goes out ${leadMinutes} minutes before the appointment.`}</li>}
        <li>
          {firstSendAt === lastSendAt || !firstSendAt || !lastSendAt ? (
            <Trans>Goes out {timeName(firstSendAt ?? '')}</Trans>
          ) : (
            <Trans>
              From {timeName(firstSendAt)} to {timeName(lastSendAt)}, at most {perMinute} a minute, so that the replies
              do not come all at once
            </Trans>
          )}
        </li>
      </ul>
      {people > 1 && (
        <details>
          <summary>{t`When each text goes out`}</summary>
          <ol className={css.times} tabIndex={0} aria-label={t`When each text goes out`}>
            {times.slice(0, listedTimes).map(({ i, phone, sendAt }) => (
              <li key={i}>
                <bdi dir="ltr">{formatPhone(phone)}</bdi> · {timeName(sendAt)}
              </li>
            ))}
          </ol>
          {times.length > listedTimes && <p className={css.note}>{t`and ${times.length - listedTimes} more`}</p>}
        </details>
      )}
    </ConfirmDialog>
  );
}

/** Who is left out, because a list was uploaded twice. */
function AlreadyTexted({ people }: { people: number }) {
  return (
    <Plural
      value={people}
      one="# person has a text for an appointment that day already and gets no second one."
      other="# people have a text for an appointment that day already and get no second one."
    />
  );
}
