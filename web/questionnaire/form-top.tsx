import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, type ReactNode } from 'react';
import { useFormEnvironment } from './form-context.ts';
import css from './form.module.css';

interface FormTopProps {
  /** Which screen of the form it is. */
  id: string;
  title: string;
  /** How many of the form's steps the patient has reached. */
  number: number;
  /** Of all steps, the review included; 1 if the form is a single page, which shows no progress. */
  count: number;
  /** Empty if the title says it. */
  formName: string;
  /** The family member, if there are several. */
  whose: string | undefined;
  children?: ReactNode;
}

/** The top of each screen of a form. A new screen is shown from here, with the focus on its heading for screen readers. */
export function FormTop({ id, title, number, count, formName, whose, children }: FormTopProps) {
  const { t } = useLingui();
  const { scrollToTop } = useFormEnvironment();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    scrollToTop();
    heading.current?.focus({ preventScroll: true });
  }, [id, scrollToTop]);
  return (
    <div className={css.top}>
      {count > 1 && <progress className={css.progress} max={count} value={number} aria-label={t`Form progress`} />}
      <p className={css.eyebrow}>
        <span>
          {formName}
          {formName !== '' && whose !== undefined && ' · '}
          {whose !== undefined && <bdi>{whose}</bdi>}
        </span>
        {children}
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
    </div>
  );
}
