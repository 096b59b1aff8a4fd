import { useLingui } from '@lingui/react/macro';
import { useEffect, useMemo } from 'react';
import { pagesOf } from '#questionnaire/pages.ts';
import { idle } from '#web/kit/when-idle.ts';
import { formAddress, type FormPlace, type Go } from '#web/phone/features/forms/form-address.ts';
import { FormAroundContext, type FormAround } from '#web/questionnaire/form-context.ts';
import { FormStep } from '#web/questionnaire/form-step.tsx';
import css from '#web/questionnaire/form.module.css';
import { fetchPart, fetchPartsFor, reloadOnceOnline, usePart } from '#web/questionnaire/lazy-parts.ts';
import { addressOfPicture } from './picture-address.ts';
import { fetchEnding, useEnding } from './use-ending.ts';
import { useForm } from './use-form.ts';
import { useVisitForms } from '#web/phone/features/forms/use-visit-forms.ts';

interface FormPageProps {
  token: string;
  place: FormPlace;
  /** The office's day. */
  today: string;
  officeName: string;
  go: Go;
}

const toTop = () => window.scrollTo(0, 0);

/** `/visit/{token}/forms/{member}/{form}/{page}`: a form page by page, its review, and what follows once it is filed. */
export function FormPage({ token, place, today, officeName, go }: FormPageProps) {
  const { t } = useLingui();
  const { memberId, formType, at } = place;
  const { opened, phone } = useForm(token, memberId, formType, today);
  const members = useVisitForms(token)?.members ?? [];
  /** Said where it could be another's. */
  const whose = members.length > 1 ? members.find((one) => one.memberId === memberId)?.name : undefined;
  const filling = typeof opened === 'object' ? opened : null;
  const questionnaire = filling?.questionnaire;
  const pages = filling ? pagesOf(filling.questionnaire, filling.answers, filling.setting) : [];
  const number = Math.min(Math.max(Number(at) || 1, 1), Math.max(pages.length, 1));
  const isReview = at === 'review';
  const page = isReview ? undefined : pages[number - 1];
  const isBeyond = filling !== null && (filling.conflict !== null || filling.isDone || !page);
  const isEnding = filling !== null && (filling.conflict !== null || filling.isDone);
  const rest = usePart(isBeyond ? 'rest' : null);
  const ending = useEnding(isEnding);
  const isFilled = filling !== null && !filling.isDone;
  const begun = filling && filling.form.version > 0 ? filling.form.page + 1 : 1;
  const address = (where?: number | 'review') => formAddress(token, place, where);
  const name = filling?.form.formName ?? t`Forms`;

  useEffect(() => {
    if (!questionnaire) return;
    const fetchMore = () => Promise.all([fetchPart('rest'), fetchEnding(), fetchPartsFor(questionnaire)]);
    idle()
      .then(fetchMore)
      .catch(() => reloadOnceOnline(phone?.save));
  }, [questionnaire, phone]);
  useEffect(() => {
    document.title = `${name} · ${officeName}`;
  }, [name, officeName]);
  useEffect(() => {
    // A form opens where it was left; a form that is filed has no pages to stand on.
    if (isFilled && at === null) go(formAddress(token, { memberId, formType }, begun), { replace: true });
    if (filling?.isDone && at !== null) go(formAddress(token, { memberId, formType }), { replace: true });
  }, [isFilled, filling?.isDone, at, begun, token, memberId, formType, go]);
  useEffect(() => {
    if (isFilled && at !== null) phone?.turnTo(isReview ? pages.length : number - 1);
  }, [isFilled, at, isReview, number, phone, pages.length]);

  const around = useMemo(
    (): FormAround => ({
      await: (upload) => phone?.uploads.add(upload),
      keep: async (...picture) =>
        (await import('#web/phone/features/forms/upload/upload.ts')).upload(token, ...picture),
      addressOf: (picture) => addressOfPicture(token, picture),
      toTop,
    }),
    [token, phone],
  );

  if (opened === 'gone') return <Gone />;
  if (!filling || !phone) return <Waiting />;
  if ((isBeyond && !rest) || (isEnding && !ending)) return <Waiting />;
  if (ending && filling.conflict) return <ending.Conflict filling={filling} phone={phone} />;
  if (ending && filling.isDone)
    return <ending.Done token={token} place={place} filling={filling} phone={phone} go={go} />;

  /** Back is back: by the browser's own history where the page before is there. */
  const back = (to: string) => {
    if ((history.state as { from?: string } | null)?.from === to) history.back();
    else go(to, { replace: true });
  };
  return (
    <FormAroundContext value={around}>
      {rest && !page ? (
        <rest.Review
          whose={whose}
          filling={filling}
          phone={phone}
          pages={pages}
          onPage={(to) => go(address(to))}
          onBack={() => back(address(Math.max(pages.length, 1)))}
        />
      ) : page ? (
        <FormStep
          key={page.id}
          whose={whose}
          filling={filling}
          phone={phone}
          page={page}
          number={number}
          count={pages.length + 1}
          onBack={() => back(number === 1 ? `/visit/${token}` : address(number - 1))}
          onNext={() => go(number === pages.length ? address('review') : address(number + 1))}
        />
      ) : null}
    </FormAroundContext>
  );
}

function Waiting() {
  const { t } = useLingui();
  return (
    <div className={css.waiting} role="status">
      <span className={css.unseen}>{t`One moment…`}</span>
    </div>
  );
}

function Gone() {
  const { t } = useLingui();
  return (
    <div className={css.done}>
      <h1>{t`This form is not here`}</h1>
      <p>{t`The practice does not ask for it any more.`}</p>
    </div>
  );
}
