import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { textVisitLink } from '#contract/patient.ts';
import { call, CallError } from '#web/kit/call.ts';
import buttons from './buttons.module.css';
import css from './status-only.module.css';

/** A texted link of this visit is in use, so this one shows the status only; the text opens the rest. */
export function StatusOnly({ token }: { token: string }) {
  const { t } = useLingui();
  const [sending, setSending] = useState(false);
  const [answer, setAnswer] = useState<{ text: string; wrong: boolean } | null>(null);
  const send = async () => {
    if (sending) return;
    setSending(true);
    try {
      const { sent } = await call(textVisitLink, { params: { token } });
      setAnswer(
        sent
          ? { text: t`We texted the link. Please open it on your phone.`, wrong: false }
          : {
              text: t`This number opted out of our texts, so we could not send the link. Please tell the front desk.`,
              wrong: true,
            },
      );
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setAnswer({ text: error.status > 0 ? error.title : t`No connection. Please try again.`, wrong: true });
    } finally {
      setSending(false);
    }
  };
  return (
    <section className={css.box} aria-labelledby="status-only">
      <h2 id="status-only">{t`To continue, open the link in our text message`}</h2>
      <p>{t`This visit is open on the phone that got our text. There you can fill out forms, read messages and tell us that you are coming in.`}</p>
      <button type="button" className={buttons.plain} aria-busy={sending || undefined} onClick={() => void send()}>
        {sending ? t`Sending…` : t`Text me the link`}
      </button>
      <p role={answer?.wrong ? 'alert' : 'status'}>{answer?.text}</p>
    </section>
  );
}
