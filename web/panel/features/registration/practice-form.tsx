import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type FormEvent } from 'react';
import { fieldErrorTexts } from '#contract/practice/registration.ts';
import { CallError } from '#web/kit/call.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { NpiClaimed } from './npi-claimed.tsx';
import { AddressFields } from './address-fields.tsx';
import { inputOf, problemsOf, type Draft, type Field } from './practice-draft.ts';
import { PracticeFields } from './practice-fields.tsx';
import css from './practice-form.module.css';
import { useDraft, useOpenForm, type Form } from './use-draft.ts';
import { useRegister, type Registration } from './use-register.ts';

interface Props {
  /** The office is registered; `strapiId` is its id. */
  onRegistered: (registration: Registration) => void;
}

/** The practice form, with the saved draft. */
export function PracticeForm({ onRegistered }: Props) {
  const { t } = useLingui();
  const opened = useOpenForm();
  if (opened.isError)
    return (
      <div className={css.form}>
        <ErrorText error={opened.error} />
        <Button size="l" busy={opened.isFetching} onClick={() => void opened.refetch()}>
          {t`Try again`}
        </Button>
      </div>
    );
  if (opened.isPending) return <Loading />;
  return <OpenForm opened={opened.data} onRegistered={onRegistered} />;
}

function OpenForm({ opened, onRegistered }: Props & { opened: Form | null }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { person } = useSession();
  const { formId, draft, edit, close, unsaved } = useDraft(opened, { email: person?.email ?? '' });
  const register = useRegister();
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const [tried, setTried] = useState(false);
  /** The wrong fields of the last attempt. */
  const [reported, setReported] = useState<Field[]>([]);
  /** The fields that the server refused, until the next edit. */
  const [refused, setRefused] = useState<Field[]>([]);

  const wrong = tried ? [...new Set([...problemsOf(draft), ...refused])] : [];
  const messageFor = (field: Field) => fieldErrorTexts[field][language];
  const errorAt = (field: Field) => (wrong.includes(field) ? { error: messageFor(field) } : {});
  const focus = (field: Field) =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus());
  const report = (fields: Field[]) => {
    setReported(fields);
    requestAnimationFrame(() => summary.current?.focus());
  };
  const errors = [...new Set([...reported, ...wrong])].map((field) => ({
    field,
    message: messageFor(field),
    isFixed: !wrong.includes(field),
  }));

  const change = (next: (draft: Draft) => Draft) => {
    setRefused([]);
    if (register.isError) register.reset();
    edit(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (register.isPending) return;
    setTried(true);
    const problems = problemsOf(draft);
    if (problems.length > 0) return report(problems);
    register.mutate(
      { formId, input: inputOf(draft) },
      {
        onSuccess(registration) {
          close();
          onRegistered(registration);
        },
        onError(error) {
          const fields = fieldsOf(error);
          setRefused(fields);
          if (fields.length > 0) report(fields);
        },
      },
    );
  };

  return (
    <form ref={form} className={css.form} noValidate onSubmit={submit} aria-label={t`Office details`}>
      <ErrorSummary ref={summary} errors={errors} onPick={focus} />
      <AddressFields draft={draft} change={change} errorAt={errorAt} />
      <PracticeFields draft={draft} change={change} errorAt={errorAt} />
      <div className={css.end}>
        {register.isError && <RefusalNotice error={register.error} />}
        <Button type="submit" variant="filled" size="l" block busy={register.isPending}>
          {t`Next Step`}
        </Button>
        <p className={css.kept}>
          {unsaved ? t`Saving what you typed…` : t`Your progress is saved. You can finish later on any device.`}
        </p>
      </div>
    </form>
  );
}

function RefusalNotice({ error }: { error: Error }) {
  if (!(error instanceof CallError) || error.code !== 'npi_claimed')
    return fieldsOf(error).length > 0 ? null : <ErrorText error={error} />;
  const { npi } = error.body.current as { npi: string };
  return <NpiClaimed npi={npi} />;
}

function fieldsOf(error: Error): Field[] {
  if (!(error instanceof CallError) || error.code !== 'registration_incomplete') return [];
  const { errorList } = error.body.current as { errorList: { field: Field }[] };
  return errorList.map(({ field }) => field);
}

function Loading() {
  return (
    <div className={css.form} aria-busy="true">
      {[1, 2, 3, 4, 5].map((row) => (
        <div key={row} className={css.bone}>
          <Skeleton width="40%" />
          <Skeleton height={36} />
        </div>
      ))}
    </div>
  );
}
