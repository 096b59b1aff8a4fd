import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, type ReactNode } from 'react';
import { useSession } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { FrontPage } from '#web/panel/ui/front-page.tsx';
import { EntryFooter } from './entry-footer.tsx';
import { entryFrame } from './entry-frame.tsx';
import { OfficeSwitcher } from '#web/panel/app/office-switcher.tsx';
import { PublicDocuments } from './public-documents.tsx';
import { RegistrationSteps } from './registration-steps.tsx';
import css from './registration.module.css';
import { SignOutCorner } from './sign-out-corner.tsx';

interface RegistrationFrameProps {
  /** Which of the three steps this is, from 0. */
  at: number;
  /** A long form instead of a few fields. */
  wide?: boolean;
  /** The step's own heading, below the title 'Registration'; without it the title is the heading. */
  heading?: string;
  /** False on the agreement: nothing beside a legal document offers a demo. */
  withPromo?: boolean;
  /** A line below the heading. */
  lead?: string;
  children: ReactNode;
}

/** The frame of a practice's registration: its three steps at the side, the current step, and the sign-out button. */
export function RegistrationFrame({
  at,
  wide,
  heading: title,
  withPromo = true,
  lead,
  children,
}: RegistrationFrameProps) {
  const { t } = useLingui();
  const { person } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(t`Registration`);
  // For screen readers each step is a page of its own.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [at]);
  const corner = (
    <>
      <OfficeSwitcher />
      {entryFrame.corner}
      <SignOutCorner />
    </>
  );
  return (
    <FrontPage
      notices={entryFrame.notices}
      corner={corner}
      wide={wide}
      aside={<RegistrationSteps at={at} />}
      footer={withPromo ? <EntryFooter email={person?.email ?? undefined} /> : <PublicDocuments />}
    >
      {title !== undefined && <p className={css.lead}>{t`Registration`}</p>}
      <h1 ref={heading} tabIndex={-1}>
        {title ?? t`Registration`}
      </h1>
      {lead !== undefined && <p className={css.lead}>{lead}</p>}
      {children}
    </FrontPage>
  );
}
