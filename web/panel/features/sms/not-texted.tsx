import { Plural, useLingui } from '@lingui/react/macro';
import type { SmsPreview } from '#contract/sms.ts';

/** List items: the rows of a list that get no text, and the people who got this message before. */
export function NotTexted({ preview }: { preview: SmsPreview }) {
  const { t } = useLingui();
  const { duplicates, alreadyTexted, optedOut, landlines, textedBefore } = preview;
  return (
    <>
      {duplicates > 0 && (
        <li>
          <Plural
            value={duplicates}
            one="# row repeats a number: each person gets one text."
            other="# rows repeat a number: each person gets one text."
          />
        </li>
      )}
      {/* A bad number stops the send at its row, so none gets here. */}
      <li>{t`Bad numbers: 0`}</li>
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
            one="# person already got this message in the last 24 hours."
            other="# people already got this message in the last 24 hours."
          />
        </li>
      )}
    </>
  );
}

/** Who is left out, because a list was uploaded twice. */
export function AlreadyTexted({ people }: { people: number }) {
  return (
    <Plural
      value={people}
      one="# person already has a text for an appointment that day and gets no second one."
      other="# people already have a text for an appointment that day and get no second one."
    />
  );
}
