import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { VisitForms } from '#contract/forms/filling.ts';
import { Time } from '#web/kit/format.tsx';
import { formAddress, type FormPlace, type Go } from '#web/phone/features/forms/form-address.ts';
import type { Filling, FormOnPhone } from '#web/questionnaire/filled-form.ts';
import css from '#web/questionnaire/form.module.css';
import { CheckIcon } from '#web/icons/check.tsx';
import { ChevronRightIcon as OnIcon } from '#web/icons/chevron-right.tsx';
import { PaperIcon } from '#web/icons/paper.tsx';
import { useCopy } from '#web/phone/features/forms/open-copy.ts';
import { allForms, lookAtForms, useVisitForms, type FamilyForm } from '#web/phone/features/forms/use-visit-forms.ts';

interface DoneProps {
  token: string;
  place: FormPlace;
  filling: Filling;
  phone: FormOnPhone;
  go: Go;
}

/** The form is filed: the copy, the way to change it, and the next form that is missing. */
export function Done({ token, place, filling, phone, go }: DoneProps) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const forms = useVisitForms(token);
  const { open, refused } = useCopy(token);
  const { form, isNew } = filling;
  const next = nextMissing(forms, place);
  const several = (forms?.members.length ?? 0) > 1;

  useEffect(() => {
    if (!isNew) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
    void lookAtForms(token);
  }, [isNew, token]);

  return (
    <div className={css.done}>
      <span className={css.mark}>
        <CheckIcon size={40} />
      </span>
      <h1 ref={heading} tabIndex={-1}>
        {isNew ? t`Thank you` : form.formName}
      </h1>
      <p>
        {isNew ? (
          t`We received your ${form.formName}.`
        ) : (
          <>
            {t`Submitted at`} {form.completedAt && <Time at={form.completedAt} />}
          </>
        )}
      </p>
      {next && (
        <button type="button" className={css.main} onClick={() => go(formAddress(token, next))}>
          <span>
            {t`Next form: ${next.formName}`}
            {several && <bdi className={css.whose}>{next.name}</bdi>}
          </span>
          <OnIcon />
        </button>
      )}
      {forms && !next && <p className={css.all}>{t`All forms are done.`}</p>}
      <button type="button" className={next ? css.plain : css.main} onClick={() => go(`/visit/${token}`)}>
        {t`Back to your visit`}
      </button>
      <div className={css.also}>
        <button type="button" className={css.later} onClick={() => void open(place.memberId, place.formType)}>
          <PaperIcon />
          {t`View your copy`}
        </button>
        <button type="button" className={css.later} onClick={phone.amend}>
          {t`Change your answers`}
        </button>
      </div>
      {refused !== null && (
        <p role="alert" className={css.refused}>
          {refused}
        </p>
      )}
    </div>
  );
}

/** The one to go on with: of the same person first, then of whoever comes next. */
function nextMissing(forms: VisitForms | null, after: { memberId: string; formType: string }): FamilyForm | undefined {
  const missing = allForms(forms).filter(
    ({ state, memberId, formType }) =>
      state !== 'submitted' && !(memberId === after.memberId && formType === after.formType),
  );
  return missing.find(({ memberId }) => memberId === after.memberId) ?? missing[0];
}
