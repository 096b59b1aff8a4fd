import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { brandQuery } from '#web/panel/features/partner/use-partner.ts';
import { useSession } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { FrontPage } from '#web/panel/ui/front-page.tsx';
import { EntryFooter } from './entry-footer.tsx';
import { entryFrame } from './entry-frame.tsx';
import { LockedPanel } from '#web/panel/app/locked-panel.tsx';
import { RegistrationSteps } from './registration-steps.tsx';
import { SignOutCorner } from './sign-out-corner.tsx';

interface PartnerFrameProps {
  /** Which of the three steps this is, from 0. */
  at: number;
  /** The window's title. */
  title: string;
  /** The heading. A page without this property has its own. */
  heading?: string;
  wide?: boolean;
  children: ReactNode;
}

/** The frame of the partner's pages: the partner's brand, the same three steps. */
export function PartnerFrame(props: PartnerFrameProps) {
  const { gate } = useSession();
  return gate.because === 'locked' ? <LockedPanel /> : <Frame {...props} />;
}

function Frame({ at, title, heading, wide, children }: PartnerFrameProps) {
  const { person } = useSession();
  const { data: brand } = useSuspenseQuery(brandQuery);
  const top = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => {
    if (document.activeElement === document.body) top.current?.focus({ preventScroll: true });
  }, []);
  const corner = (
    <>
      {entryFrame.corner}
      {person && <SignOutCorner />}
    </>
  );
  return (
    <FrontPage
      notices={entryFrame.notices}
      corner={corner}
      brand={brand}
      wide={wide}
      aside={<RegistrationSteps at={at} />}
      footer={<EntryFooter email={person?.email ?? undefined} />}
    >
      {heading !== undefined && (
        <h1 ref={top} tabIndex={-1}>
          {heading}
        </h1>
      )}
      {children}
    </FrontPage>
  );
}
