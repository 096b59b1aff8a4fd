import { useLingui } from '@lingui/react/macro';
import { useMessageSettings } from '#web/panel/features/message-settings/index.ts';
import css from '#web/panel/features/queue/page/dialogs.module.css';
import { TextSize } from '#web/panel/features/queue/texting/text-size.tsx';

/** A link as long as the one that the server adds. */
const linkOf = (length: number) => 'x'.repeat(length);

/** The finished text with words for its link, and what it costs with the link. */
export function InviteText({ ownWords }: { ownWords: string }) {
  const { t } = useLingui();
  const { data } = useMessageSettings();
  if (!data) return null;
  const linkLabel = /\([^()]*\)$/.exec(data.checkInText)?.[0] ?? '';
  const words = ownWords.trim() === '' ? data.checkInText.slice(0, -linkLabel.length).trim() : ownWords.trim();
  return (
    <figure className={css.preview}>
      <figcaption>{t`The patient gets`}</figcaption>
      <p dir="auto">
        {words} {linkLabel}
      </p>
      <p className={css.size}>
        <TextSize text={`${words} ${linkOf(data.checkInLinkLength)}`} />
      </p>
      {ownWords.trim() === '' && (
        <p className={css.size}>{t`Patients who chose Spanish on an earlier visit get it in Spanish.`}</p>
      )}
    </figure>
  );
}
