import { useLingui } from '@lingui/react/macro';
import { useMessageSettings } from '#web/panel/features/message-settings/index.ts';
import css from '#web/panel/features/queue/page/dialogs.module.css';
import { TextSize } from '#web/panel/features/queue/texting/text-size.tsx';

/** A link as long as the one that the server adds. */
const linkOf = (length: number) => 'x'.repeat(length);

/** The finished text with a placeholder for its link, and what it costs with the link. */
export function InviteText({ customText }: { customText: string }) {
  const { t } = useLingui();
  const { data } = useMessageSettings();
  if (!data) return null;
  const linkLabel = /\([^()]*\)$/.exec(data.checkInText)?.[0] ?? '';
  const text = customText.trim() === '' ? data.checkInText.slice(0, -linkLabel.length).trim() : customText.trim();
  return (
    <figure className={css.preview}>
      <figcaption>{t`The patient gets`}</figcaption>
      <p dir="auto">
        {text} {linkLabel}
      </p>
      <p className={css.size}>
        <TextSize text={`${text} ${linkOf(data.checkInLinkLength)}`} />
      </p>
      {customText.trim() === '' && (
        <p className={css.size}>{t`Patients who chose Spanish on an earlier visit get it in Spanish.`}</p>
      )}
    </figure>
  );
}
