import { useLingui } from '@lingui/react/macro';
import { chatSnippet, type ShownChatSettings } from '#contract/practice/chat-settings.ts';
import { CheckIcon } from '#web/icons/check.tsx';
import { CopyIcon } from '#web/icons/copy.tsx';
import { ExternalIcon } from '#web/icons/external.tsx';
import { Button, buttonClass } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { useCopy } from '#web/panel/ui/use-copy.ts';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import css from './chat-settings.module.css';

/** What goes into the practice's website, what its web designer needs to know, and a page that shows the chat. */
export function InstallCard({ saved }: { saved: ShownChatSettings }) {
  const { t } = useLingui();
  const { npi, host, chatEnabled } = saved;
  const policy = `script-src ${host}; frame-src ${host}`;
  return (
    <Card title={t`Put the chat on your website`}>
      <div className={css.stack}>
        <Copyable
          label={t`For your web designer: put this line before the end of each page`}
          text={chatSnippet(saved)}
        />
        <Copyable
          label={t`If your website has a Content Security Policy, it must allow this host in script-src and frame-src`}
          text={policy}
        />
        <div className={css.test}>
          {chatEnabled ? (
            <>
              <a className={buttonClass({})} href={`/widget-test/${npi}`} target="_blank" rel="noreferrer">
                <ExternalIcon />
                <span>{t`Try it on a test page`}</span>
              </a>
              <p className={css.note}>
                {t`A test page with the same button. What you write there arrives in your Website Chatbox, like any visitor’s message.`}
              </p>
            </>
          ) : (
            <p className={css.note}>{t`Turn the chat on and save: then a test page shows how it works.`}</p>
          )}
        </div>
      </div>
    </Card>
  );
}

function Copyable({ label, text }: { label: string; text: string }) {
  const { t } = useLingui();
  const { copied, copy } = useCopy(text, () =>
    toast({
      tone: 'red',
      title: t`The text was not copied`,
      text: t`This browser does not allow it. Please select the text and copy it.`,
      seconds: 10,
    }),
  );
  return (
    <div>
      <p className={css.copyLabel}>{label}</p>
      <div className={css.copyable}>
        <code dir="ltr">{text}</code>
        <Button
          size="s"
          icon={copied ? CheckIcon : CopyIcon}
          aria-label={copied ? undefined : t`Copy: ${label}`}
          onClick={copy}
        >
          {copied ? t`Copied!` : t`Copy`}
        </Button>
      </div>
      <VisuallyHidden role="status">{copied && t`Copied!`}</VisuallyHidden>
    </div>
  );
}
