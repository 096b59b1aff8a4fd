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
import { Trouble } from '#web/panel/ui/trouble.tsx';
import { DetailsForm } from './details-form.tsx';
import { deleteDraft, saveDraft, readDraft, emptyDraft, type Draft, type DraftInput } from './partner-draft.ts';
import { useSaveApplication } from './use-partner.ts';

const params = { partner: partnerKey };

/** The code's form, as signing in has it. */
export interface CodeFormProps {
  sent: DraftInput;
  onConfirm: (code: string) => Promise<void>;
  onResend: () => Promise<void>;
  children?: ReactNode;
}

interface PartnerStartProps {
  codeForm: (props: CodeFormProps) => ReactNode;
  /** What this person typed on another machine. */
  application: PartnerDetails | null;
  /** The office is there: on to its agreement. */
  onRegistered: () => void;
  /** It cannot be gone on with here. */
  onBroken: () => void;
}

/** Practice info, and the code that proves the address. Whoever is signed in already needs no code. */
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
        // The page is loaded afresh for the new office, and the gate leads on to its agreement.
        return switchOffice(officeId);
      }
      if (!isGood(draft.sent))
        keep({ details, sent: sentTo(details, await call(startPartnerSignUp, { params, body: details })) });
      setEntering(true);
    },
    onError: (error) => {
      const said = errorList(error);
      if (said) setRefused(said);
      else if (!mayBeTriedHere(error)) onBroken();
    },
  });

  const edit = (details: PartnerDetails) => {
    // A code belongs to the address it was sent to.
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
      trouble={<Trouble error={errorList(next.error) ? null : next.error} />}
      isSignedIn={person !== null}
    />
  );
}

/** What was typed here or elsewhere; a person who is signed in starts with their own address. */
function startFrom(application: PartnerDetails | null, email: string | null): Draft {
  const kept = readDraft();
  if (email === null) return kept ?? { details: emptyDraft };
  return { details: application ?? { ...(kept?.details ?? emptyDraft), email } };
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

/** What the server says is wrong, by field; null when it is about something else. */
function errorList(error: unknown): Record<string, string> | null {
  if (!(error instanceof CallError) || error.code !== 'registration_incomplete') return null;
  const { errorList: list = [] } = (error.body.current ?? {}) as { errorList?: { field: string; message: string }[] };
  return Object.fromEntries(list.map(({ field, message }) => [field, message]));
}

/** No network, or too many tries: the same can be sent again from here in a moment. */
const mayBeTriedHere = (error: unknown) => error instanceof CallError && (error.status === 0 || error.status === 429);
const isOfCode = (error: unknown) =>
  error instanceof CallError && /^(wrong_code|code_expired|code_used_up)$/.test(error.code);
