import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { textVisitLink } from '#contract/patient/visit.ts';
import { call, CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import buttons from '#web/questionnaire/ui/button.module.css';

/** Texts the link that opens the rest of the visit to the visit's number. */
export function TextMeTheLink({ token }: { token: string }) {
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
          ? {
              text: t`We text the link to your phone if it gets our texts. No text after a few minutes? Please tell the front desk.`,
              wrong: false,
            }
          : { text: t`We could not text you the link. Please tell the front desk.`, wrong: true },
      );
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setAnswer({ text: errorMessage(error, t`No connection. Please try again.`), wrong: true });
    } finally {
      setSending(false);
    }
  };
  return (
    <>
      <button type="button" className={buttons.plain} aria-busy={sending || undefined} onClick={() => void send()}>
        {sending ? t`Sending…` : t`Text me the link`}
      </button>
      <p role={answer?.wrong ? 'alert' : 'status'}>{answer?.text}</p>
    </>
  );
}
