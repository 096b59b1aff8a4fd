import { useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { longestPatientMessage, noteWritingByPatient, writeToPractice } from '#contract/patient/messages.ts';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { call } from '#web/kit/call.ts';
import { useConnection } from '#web/kit/connection.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { newKey, retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import { useTooLong } from '#web/kit/too-long.ts';
import { noteUnsaved } from '#web/phone/ui/unsaved.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import field from '#web/questionnaire/ui/field.module.css';
import css from './answer-box.module.css';

interface Draft {
  text: string;
  /** Sent with the message: a retry adds no second one. */
  clientId: string;
}

/** In memory only, so that a form that is opened meanwhile does not lose the text. */
const drafts = new Map<string, Draft>();
const tellEveryMs = 3_000;

interface AnswerBoxProps {
  token: string;
  onVisit: (visit: PatientVisit) => void;
}

/** A message to the front desk. The text stays in the box until the server has it; without a network it is sent as soon as there is one. */
export function AnswerBox({ token, onVisit }: AnswerBoxProps) {
  const { t } = useLingui();
  const id = useId();
  const { lost } = useConnection();
  const answer = useAnswer(token, onVisit);
  const tooLong = useTooLong(answer.text, longestPatientMessage);
  const problem = tooLong ?? answer.error;
  const tellWriting = useTellWriting(token);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (tooLong === undefined) answer.send();
  };
  return (
    <form className={css.answer} onSubmit={onSubmit}>
      <div className={field.field}>
        <label htmlFor={id}>{t`Message to the front desk`}</label>
        <textarea
          id={id}
          className={field.long}
          rows={2}
          value={answer.text}
          readOnly={answer.isSending}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            answer.change(event.target.value);
            if (event.target.value.trim() !== '') tellWriting();
          }}
        />
        <p id={`${id}-hint`} className={field.hint}>{t`Not for emergencies: call 911.`}</p>
      </div>
      {problem && <ErrorMessage>{problem}</ErrorMessage>}
      <button type="submit" className={buttons.plain} aria-busy={answer.isSending || undefined}>
        {answer.isSending ? t`Sending…` : t`Send message`}
      </button>
      <p role="status" className={field.hint}>
        {answer.isSending && lost && t`No connection. We’ll send your message when you’re back online.`}
      </p>
    </form>
  );
}

function useAnswer(token: string, onVisit: (visit: PatientVisit) => void) {
  const { t } = useLingui();
  const [text, setText] = useState(() => drafts.get(token)?.text ?? '');
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const keep = (next: string) => {
    drafts.set(token, { text: next, clientId: newKey() });
    noteUnsaved(drafts, next.trim() !== '');
    setText(next);
  };
  return {
    text,
    isSending,
    error,
    change(next: string) {
      keep(next);
      setError(undefined);
    },
    send() {
      const draft = drafts.get(token);
      if (isSending) return;
      if (!draft || draft.text.trim() === '') return setError(t`Please write a message first.`);
      const controller = new AbortController();
      stop.current = controller;
      const { signal } = controller;
      setSending(true);
      setError(undefined);
      const body = { body: draft.text, clientId: draft.clientId };
      void retryUntilAnswered(() => call(writeToPractice, { params: { token }, body }, { signal }), signal)
        .then(
          (visit) => {
            keep('');
            onVisit(visit);
          },
          (reason: unknown) => {
            if (!signal.aborted) setError(errorMessage(reason, t`Your message was not sent. Please try again.`));
          },
        )
        .finally(() => setSending(false));
    },
  };
}

/** Tells the desk that the patient is writing, every few seconds at most. A failed call is ignored. */
function useTellWriting(token: string): () => void {
  const toldAt = useRef(0);
  return () => {
    const now = performance.now();
    if (toldAt.current !== 0 && now - toldAt.current < tellEveryMs) return;
    toldAt.current = now;
    void call(noteWritingByPatient, { params: { token } }).catch(() => undefined);
  };
}
