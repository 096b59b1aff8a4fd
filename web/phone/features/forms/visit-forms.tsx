import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useEffect, type MouseEvent } from 'react';
import type { PatientVisit } from '#contract/patient/visit.ts';
import type { VisitForm } from '#contract/forms/filling.ts';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { formAddress, shareAddress, type NavigateToForm } from './form-address.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { ChevronRightIcon as OnIcon } from '#web/icons/chevron-right.tsx';
import { PaperIcon } from '#web/icons/paper.tsx';
import { useOpenPdfCopy } from './open-copy.ts';
import { allForms, unfinishedForms, useShownForms, useVisitForms } from './use-visit-forms.ts';
import css from './visit-forms.module.css';

/** The link in a text opens the requested form once; Back leads to the visit. */
let hasOpenedRequestedForm = location.pathname.includes('/forms/');

interface VisitFormsListProps {
  token: string;
  visit: Pick<PatientVisit, 'statusCode' | 'isToday'>;
  go: NavigateToForm;
}

/** The forms of this visit by family member, with their state; folded up once the patient is called, who has something else to do. */
export function VisitFormsList({ token, visit, go }: VisitFormsListProps) {
  const { t } = useLingui();
  const forms = useVisitForms(token);
  const { open, errorMessage } = useOpenPdfCopy(token);
  const requestedForm = forms && !hasOpenedRequestedForm ? forms.asked : null;
  const wanted = unfinishedForms(forms).find(({ formType }) => formType === requestedForm);

  useEffect(() => {
    if (!forms) return;
    const isFirst = !hasOpenedRequestedForm;
    hasOpenedRequestedForm = true;
    if (isFirst && wanted) go(formAddress(token, wanted));
  }, [forms, wanted, token, go]);

  if (!forms || allForms(forms).length === 0) return null;
  const several = forms.members.length > 1;
  const isWaiting = visit.isToday && visit.statusCode === 'WAITING';
  const isCalled = visit.isToday && (visit.statusCode.endsWith('INVITED') || visit.statusCode === 'GOING');
  const heading = <h2 id="your-forms">{t`Your forms`}</h2>;
  const note = (
    <p className={css.left}>
      {unfinishedForms(forms).length === 0
        ? t`All forms are done. Thank you!`
        : isWaiting
          ? t`Please fill these in before you come in.`
          : visit.statusCode === 'PATIENT_DONE'
            ? t`You’re inside. Finish your forms at the desk.`
            : t`You can finish these at the front desk.`}
    </p>
  );
  const rows = (
    <>
      {forms.members.map(({ memberId, name, forms: own }) => (
        <div key={memberId} className={css.member}>
          {several && (
            <h3>
              <bdi>{name}</bdi>
            </h3>
          )}
          <ul>
            {own.map((form) => (
              <li key={form.formType}>
                <FormLink form={form} href={formAddress(token, { memberId, formType: form.formType })} go={go} />
                {form.state === 'submitted' && (
                  <button
                    type="button"
                    className={`${buttons.link} ${css.copy}`}
                    onClick={() => void open(memberId, form.formType)}
                  >
                    <PaperIcon />
                    {t`View copy`}
                    <VisuallyHidden> {form.formName}</VisuallyHidden>
                  </button>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {errorMessage !== null && <ErrorMessage>{errorMessage}</ErrorMessage>}
      {allForms(forms).some(({ submissionId }) => submissionId !== null) && (
        <a className={`${buttons.link} ${css.share}`} href={shareAddress(token)} onClick={(event) => follow(event, go)}>
          {t`Share forms with a school or specialist`}
          <OnIcon />
        </a>
      )}
    </>
  );
  return (
    <section className={css.forms} aria-labelledby="your-forms">
      {isCalled ? (
        <>
          <details className={css.folded}>
            <summary>{heading}</summary>
            {rows}
          </details>
          {note}
        </>
      ) : (
        <>
          {heading}
          {note}
          {rows}
        </>
      )}
    </section>
  );
}

/** The main action of a patient who waits: the next form, with how far the forms are and how long the rest takes. */
export function NextFormLink({ token, go }: { token: string; go: NavigateToForm }) {
  const { t } = useLingui();
  const forms = useShownForms(token);
  const [next] = unfinishedForms(forms);
  if (!forms) return <div className={css.nextSpace} />;
  if (!next) return null;
  const total = allForms(forms).length;
  const done = total - unfinishedForms(forms).length;
  const minutes = plural(forms.minutesLeft, { one: '# minute', other: '# minutes' });
  return (
    <a className={`${buttons.main} ${css.next}`} href={formAddress(token, next)} onClick={(event) => follow(event, go)}>
      <span>{t`Fill out forms`}</span>{' '}
      <span className={css.progress}>{t`${done} of ${total} done, about ${minutes}`}</span>
    </a>
  );
}

/** Follows a link without reloading the page, unless the patient opens it in another window. */
function follow(event: MouseEvent<HTMLAnchorElement>, go: NavigateToForm) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(event.currentTarget.pathname);
}

function FormLink({ form, href, go }: { form: VisitForm; href: string; go: NavigateToForm }) {
  const { t } = useLingui();
  const { formName, state, version } = form;
  const stateLabel =
    state === 'submitted'
      ? version > 0
        ? t`Being changed`
        : t`Done`
      : state === 'draft'
        ? t`In progress`
        : t`Not started`;
  return (
    <a className={css.link} href={href} onClick={(event) => follow(event, go)}>
      <span className={css.name}>{formName}</span>
      <span className={`${css.state} ${css[state]}`}>
        {state === 'submitted' && version === 0 && <CheckIcon size={16} />}
        {stateLabel}
      </span>
      <OnIcon />
    </a>
  );
}
