import { useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, useState } from 'react';
import type { Share } from '#contract/sharing.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { PhoneCopyIcon as CopyIcon } from '#web/icons/phone-copy.tsx';
import { ShareIcon as SendIcon } from '#web/icons/share.tsx';
import css from './sharing.module.css';
import fields from '#web/questionnaire/ui/field.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';

export interface NewLink {
  share: Share;
  url: string;
}

/** The address of a new link, which is shown only once: to copy, or to pass to another app. */
export function NewLinkCard({ made: { share, url }, onAnother }: { made: NewLink; onAnother: () => void }) {
  const { t } = useLingui();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null);
  const mayHandOn = typeof navigator.share === 'function';

  useEffect(() => heading.current?.focus(), []);
  const copy = async () => setCopied((await copyToClipboard(url, field.current)) ? 'yes' : 'no');
  // Closing the sheet again is an answer, too.
  const handOn = () => void navigator.share({ title: t`Shared Forms`, url }).catch(() => undefined);
  return (
    <section className={css.made} aria-labelledby={id}>
      <h2 ref={heading} id={id} tabIndex={-1}>
        <CheckIcon size={24} />
        {t`Your link is ready`}
      </h2>
      <p>
        {t`For`} <strong dir="auto">{share.sharedWith}</strong> · {t`expires`} <OfficeMoment at={share.expiresAt} />
      </p>
      <input
        ref={field}
        className={`${fields.input} ${css.address}`}
        readOnly
        dir="ltr"
        aria-label={t`Link`}
        value={url}
        onFocus={(event) => event.target.select()}
      />
      <div className={css.madeButtons}>
        {mayHandOn && (
          <button type="button" className={buttons.main} onClick={handOn}>
            <SendIcon />
            {t`Share link`}
          </button>
        )}
        <button type="button" className={mayHandOn ? buttons.plain : buttons.main} onClick={() => void copy()}>
          {copied === 'yes' ? <CheckIcon /> : <CopyIcon />}
          {copied === 'yes' ? t`Copied` : t`Copy`}
        </button>
      </div>
      <p role="status" className={fields.hint}>
        {copied === 'yes' && t`Link copied.`}
        {copied === 'no' && t`We couldn’t copy the link. It’s selected, so you can copy it yourself.`}
      </p>
      <p className={fields.hint}>{t`Copy this link now. You won’t be able to see it again.`}</p>
      <button type="button" className={`${buttons.link} ${css.start}`} onClick={onAnother}>
        {t`Create another link`}
      </button>
    </section>
  );
}

/** True when it is in the clipboard. Older browsers and pages without https copy only what is marked. */
async function copyToClipboard(text: string, field: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field?.select();
    return document.execCommand('copy');
  }
}
