import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { openSharedForm, type SharedForms } from '#contract/sharing.ts';
import { call, CallError } from '#web/kit/call.ts';
import { openInTab } from '#web/kit/open-in-tab.ts';
import { PhoneDownloadIcon as DownloadIcon } from '#web/icons/phone-download.tsx';
import { PaperIcon } from '#web/icons/paper.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { OpeningTime } from './moment.tsx';
import type { ShareLink } from './link-address.ts';
import { useErrorMessage } from './error-message.ts';
import field from '#web/questionnaire/ui/field.module.css';
import css from './sharing.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';

interface CardProps {
  shared: SharedForms;
  onView: () => void;
}

/** Whose forms they are and when they came, before anything of them is opened. */
export function SharedFormsCard({ shared: { checkin, forms, expiresAt }, onView }: CardProps) {
  const { t } = useLingui();
  const others = checkin.activePatients.map(({ name }) => name).filter((name) => name !== checkin.patientName);
  return (
    <section className={css.card} aria-labelledby="shared-forms">
      <h1 id="shared-forms">{t`Shared Forms`}</h1>
      <p className={css.patient}>
        {[checkin.patientName, ...others].map((name) => (
          <bdi key={name}>{name}</bdi>
        ))}
      </p>
      <dl className={css.facts}>
        <div>
          <dt>{t`Checked in`}</dt>
          <dd>
            <OpeningTime at={checkin.createdAt} />
          </dd>
        </div>
        <div>
          <dt>{t`Forms`}</dt>
          <dd>{forms.length}</dd>
        </div>
        <div>
          <dt>{t`Can be opened until`}</dt>
          <dd>
            <OpeningTime at={expiresAt} />
          </dd>
        </div>
      </dl>
      <button type="button" className={buttons.main} onClick={onView}>
        {t`View Forms`}
      </button>
    </section>
  );
}

interface ListProps {
  shared: SharedForms;
  link: ShareLink;
  onRefused: (error: CallError) => void;
}

/** Each form, to view or to download. */
export function SharedFormsList({ shared: { forms, checkin }, link, onRefused }: ListProps) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const names = [...new Set([checkin.patientName, ...forms.map(({ patientName }) => patientName)])];
  return (
    <section className={css.sharedList} aria-labelledby="shared-forms">
      <h1 ref={heading} id="shared-forms" tabIndex={-1}>
        {t`Shared Forms`}
      </h1>
      {names.map((name) => {
        const own = forms.filter(({ patientName }) => patientName === name);
        return (
          own.length > 0 && (
            <div key={name} className={css.ofPerson}>
              <h2 dir="auto">{name}</h2>
              <ul>
                {own.map((form) => (
                  <SharedFormItem key={form.submissionId} form={form} link={link} onRefused={onRefused} />
                ))}
              </ul>
            </div>
          )
        );
      })}
    </section>
  );
}

function SharedFormItem({
  form,
  link,
  onRefused,
}: Omit<ListProps, 'shared'> & {
  form: SharedForms['forms'][number];
}) {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const [busy, setBusy] = useState<'inline' | 'attachment' | null>(null);
  const [refused, setRefused] = useState<CallError | null>(null);
  const { submissionId: id, formName, completedAt } = form;

  const open = async (as: 'inline' | 'attachment') => {
    if (busy) return;
    setBusy(as);
    setRefused(null);
    const { token, office } = link;
    const fetchUrl = async () =>
      (await call(openSharedForm, { query: { token, id, as, ...(office && { office }) } })).url;
    try {
      if (as === 'inline') await openInTab(fetchUrl);
      else location.assign(await fetchUrl());
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.status === 404 || error.status === 410) return onRefused(error);
      setRefused(error);
    } finally {
      setBusy(null);
    }
  };
  return (
    <li className={css.sharedForm}>
      <p className={css.formName}>
        <PaperIcon />
        <span>{formName}</span>
      </p>
      <p className={field.hint}>
        {t`Submitted`} <OpeningTime at={completedAt} />
      </p>
      <div className={css.formButtons}>
        <button
          type="button"
          className={buttons.plain}
          aria-busy={busy === 'inline' || undefined}
          onClick={() => void open('inline')}
        >
          {t({ message: 'View', context: 'open a form' })}
          <VisuallyHidden> {formName}</VisuallyHidden>
        </button>
        <button
          type="button"
          className={buttons.plain}
          aria-busy={busy === 'attachment' || undefined}
          onClick={() => void open('attachment')}
        >
          <DownloadIcon />
          {t`Download`}
          <VisuallyHidden> {formName}</VisuallyHidden>
        </button>
      </div>
      {refused && <ErrorMessage>{errorMessage(refused)}</ErrorMessage>}
    </li>
  );
}
