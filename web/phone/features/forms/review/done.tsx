import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { VisitForms } from '#contract/forms/filling.ts';
import { outcomeAdvice } from '#questionnaire/extras/outcome.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { Time } from '#web/kit/format.tsx';
import { formAddress, type FormRoute, type NavigateToForm } from '#web/phone/features/forms/form-address.ts';
import type { FilledForm, FormSession } from '#web/questionnaire/filled-form.ts';
import notice from '#web/phone/ui/notice.module.css';
import css from '#web/questionnaire/form.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { ChevronRightIcon as OnIcon } from '#web/icons/chevron-right.tsx';
import { PaperIcon } from '#web/icons/paper.tsx';
import { useOpenPdfCopy } from '#web/phone/features/forms/open-copy.ts';
import {
  allForms,
  refetchVisitForms,
  useVisitForms,
  type FamilyForm,
} from '#web/phone/features/forms/use-visit-forms.ts';

interface DoneProps {
  token: string;
  route: FormRoute;
  filling: FilledForm;
  session: FormSession;
  go: NavigateToForm;
}

/** The form is filed: the copy, the way to change it, and the next form that is missing. */
export function FormDone({ token, route, filling, session, go }: DoneProps) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const forms = useVisitForms(token);
  const { open, errorMessage } = useOpenPdfCopy(token);
  const { form, isJustFiled } = filling;
  const next = nextMissing(forms, route);
  const language = useLanguage();
  const advice = outcomeAdvice(filling.questionnaire, filling.answers, filling.setting, language);
  const several = (forms?.members.length ?? 0) > 1;

  useEffect(() => {
    if (!isJustFiled) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
    void refetchVisitForms(token);
  }, [isJustFiled, token]);

  return (
    <div className={css.done}>
      <span className={`${notice.mark} ${notice.green}`}>
        <CheckIcon size={40} />
      </span>
      <h1 ref={heading} tabIndex={-1}>
        {isJustFiled ? t`Thank you` : form.formName}
      </h1>
      <p>
        {isJustFiled ? (
          t`We received your ${form.formName}.`
        ) : (
          <>
            {t`Submitted at`} {form.completedAt && <Time at={form.completedAt} />}
          </>
        )}
      </p>
      {advice !== '' && (
        <div className={notice.box} role="note" aria-labelledby="what-to-do">
          <h2 id="what-to-do">{t`What to do now`}</h2>
          <p>{advice}</p>
        </div>
      )}
      {next && (
        <button type="button" className={buttons.main} onClick={() => go(formAddress(token, next))}>
          <span>
            {t`Next form: ${next.formName}`}
            {several && <bdi className={css.whose}>{next.name}</bdi>}
          </span>
          <OnIcon />
        </button>
      )}
      {forms && !next && <p className={css.all}>{t`All forms are done.`}</p>}
      <button type="button" className={next ? buttons.plain : buttons.main} onClick={() => go(`/visit/${token}`)}>
        {t`Back to your visit`}
      </button>
      <div className={css.also}>
        <button type="button" className={buttons.link} onClick={() => void open(route.memberId, route.formType)}>
          <PaperIcon />
          {t`View your copy`}
        </button>
        <button type="button" className={buttons.link} onClick={session.amend}>
          {t`Change your answers`}
        </button>
      </div>
      {errorMessage !== null && <ErrorMessage>{errorMessage}</ErrorMessage>}
    </div>
  );
}

/** The next form: of the same person first, then of the next family member. */
function nextMissing(forms: VisitForms | null, after: { memberId: string; formType: string }): FamilyForm | undefined {
  const missing = allForms(forms).filter(
    ({ state, memberId, formType }) =>
      state !== 'submitted' && !(memberId === after.memberId && formType === after.formType),
  );
  return missing.find(({ memberId }) => memberId === after.memberId) ?? missing[0];
}
