import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import {
  addPartnerLocation,
  confirmPartnerSignUp,
  partnerKey,
  resendPartnerCode,
  startPartnerSignUp,
  type PartnerDetails,
} from '#contract/partner.ts';
import { call, CallError } from '#web/kit/call.ts';
import { serverNow } from '#web/kit/clock.ts';
import { sessionQuery, switchOffice, useSession } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { DetailsForm } from './details-form.tsx';
import { deleteDraft, saveDraft, readDraft, emptyDraft, type Draft, type DraftInput } from './partner-draft.ts';
import { useSaveApplication } from './use-partner.ts';

const params = { partner: partnerKey };

/** Renders the code form of the sign-in feature. */
export interface CodeFormProps {
  sent: DraftInput;
  onConfirm: (code: string) => Promise<void>;
  onResend: () => Promise<void>;
  children?: ReactNode;
}

interface PartnerStartProps {
  codeForm: (props: CodeFormProps) => ReactNode;
  /** This person's application from another device. */
  application: PartnerDetails | null;
  /** Called when the office is registered. */
  onRegistered: () => void;
  /** Called when the person cannot continue here. */
  onBroken: () => void;
}

/** Practice info, and the code that confirms the email address. A signed-in person needs no code. */
export function PartnerStart({ codeForm, application, onRegistered, onBroken }: PartnerStartProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { person } = useSession();
  const onServer = useSaveApplication(person?.id);
  const [draft, setDraft] = useState<Draft>(() => startFrom(application, person?.email ?? null));
  const [entering, setEntering] = useState(() => person === null && isGood(draft.sent));
  const [refused, setRefused] = useState<Partial<Record<string, string>>>({});

  const keep = (next: Draft) => {
    setDraft(next);
    if (person) onServer.keep(next.details);
    else saveDraft(next);
  };
  const done = () => {
    deleteDraft();
    onServer.forget();
    onRegistered();
  };

  const next = useMutation({
    mutationFn: async () => {
      const { details } = draft;
      if (person) {
        const { officeId } = await call(addPartnerLocation, { params, body: details });
        deleteDraft();
        onServer.forget();
        // Reloads the page for the new office; the gate leads to its agreement.
        return switchOffice(officeId);
      }
      if (!isGood(draft.sent))
        keep({ details, sent: sentTo(details, await call(startPartnerSignUp, { params, body: details })) });
      setEntering(true);
    },
    onError: (error) => {
      const messages = errorList(error);
      if (messages) setRefused(messages);
      else if (!mayBeTriedHere(error)) onBroken();
    },
  });

  const edit = (details: PartnerDetails) => {
    // A code is only valid for the address it was sent to.
    keep(details.email === draft.details.email ? { ...draft, details } : { details });
    setRefused({});
    next.reset();
  };

  if (entering && draft.sent) {
    const { details } = draft;
    const confirm = async (code: string) => {
      try {
        const { session } = await call(confirmPartnerSignUp, { params, body: { ...details, code } });
        cache.setQueryData(sessionQuery.queryKey, session);
        done();
      } catch (error) {
        if (error instanceof CallError && error.code === 'email_in_use') {
          keep({ details });
          setRefused({ email: error.title });
          setEntering(false);
        } else if (isOfCode(error) || mayBeTriedHere(error)) throw error;
        else onBroken();
      }
    };
    const resend = async () => {
      const answer = await call(resendPartnerCode, { params, body: { email: details.email.trim() } });
      keep({ details, sent: sentTo(details, answer) });
    };
    return codeForm({
      sent: draft.sent,
      onConfirm: confirm,
      onResend: resend,
      children: (
        <Button variant="subtle" icon={ArrowLeftIcon} onClick={() => setEntering(false)}>
          {t`Change the practice info`}
        </Button>
      ),
    });
  }

  return (
    <DetailsForm
      details={draft.details}
      onChange={edit}
      refused={refused}
      busy={next.isPending}
      onNext={() => next.mutate()}
      trouble={<ErrorText error={errorList(next.error) ? null : next.error} />}
      isSignedIn={person !== null}
    />
  );
}

/** The saved draft or application. A signed-in person starts with their own email address. */
function startFrom(application: PartnerDetails | null, email: string | null): Draft {
  const saved = readDraft();
  if (email === null) return saved ?? { details: emptyDraft };
  return { details: application ?? { ...(saved?.details ?? emptyDraft), email } };
}

function isGood(sent: DraftInput | undefined): boolean {
  return sent !== undefined && Date.parse(sent.expiresAt) > serverNow();
}

function sentTo({ email }: PartnerDetails, answer: { expiresAt: string; resendAfterSeconds: number }): DraftInput {
  return {
    to: email.trim().toLowerCase(),
    expiresAt: answer.expiresAt,
    resendAt: serverNow() + answer.resendAfterSeconds * 1000,
  };
}

/** The server's error messages by field; null if the error is about something else. */
function errorList(error: unknown): Record<string, string> | null {
  if (!(error instanceof CallError) || error.code !== 'registration_incomplete') return null;
  const { errorList: list = [] } = (error.body.current ?? {}) as { errorList?: { field: string; message: string }[] };
  return Object.fromEntries(list.map(({ field, message }) => [field, message]));
}

/** No network or a rate limit: the same request can be repeated in a moment. */
const mayBeTriedHere = (error: unknown) => error instanceof CallError && (error.status === 0 || error.status === 429);
const isOfCode = (error: unknown) =>
  error instanceof CallError && /^(wrong_code|code_expired|code_used_up)$/.test(error.code);
