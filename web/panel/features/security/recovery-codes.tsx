import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { productName } from '#web/kit/title.ts';
import { Button, buttonClass } from '#web/panel/ui/button.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { CopyIcon } from '#web/icons/copy.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import css from './security.module.css';

/** The recovery codes. They are shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useLingui();
  const [copied, setCopied] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const text = codes.join('\n');
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <div className={css.form}>
      <h3 ref={title} tabIndex={-1} className={css.codesTitle}>
        {t`Keep these recovery codes`}
      </h3>
      <p>{t`If you lose your phone, each code works once in place of the app. You won’t see them again, so print them or save them with your passwords.`}</p>
      <ul className={css.codes} dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={css.buttons}>
        <Button icon={copied ? CheckIcon : CopyIcon} onClick={copy}>
          {copied ? t`Copied!` : t`Copy`}
        </Button>
        <a
          className={buttonClass({})}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download={`${productName}-recovery-codes.txt`}
        >
          <DownloadIcon />
          <span>{t`Download`}</span>
        </a>
      </div>
      <Button variant="filled" block onClick={onDone}>
        {t`I’ve saved them`}
      </Button>
    </div>
  );
}
