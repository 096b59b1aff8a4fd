import { useLingui } from '@lingui/react/macro';
import { useEffect, useState, type ComponentProps } from 'react';
import type { OfficeFront } from '#contract/patient/check-in.ts';
import { OfficeZone } from '#web/kit/format.tsx';
import { draftFor } from './check-in-draft.ts';
import { CheckInForm } from './check-in-form.tsx';
import { Frame, type FrameProps } from '#web/phone/ui/frame.tsx';
import { Greeting } from './greeting.tsx';
import { OfflineBar } from '#web/phone/ui/offline-bar.tsx';
import { OfficeClosed } from './later-notices.tsx';
import { NotConfirmed } from './not-confirmed.tsx';

interface CheckInProps
  extends Pick<ComponentProps<typeof CheckInForm>, 'withPhone' | 'send'>, Pick<FrameProps, 'onLanguage'> {
  office: OfficeFront;
  /** The visit arrived by a text; the form only asks who comes. */
  hasArrived?: boolean;
}

/** The greeting and the form while the office is open, else when it opens. Entries stay if it closes meanwhile. */
export function CheckIn({ office, withPhone, hasArrived = false, send, onLanguage }: CheckInProps) {
  const { t } = useLingui();
  const [draft, setDraft] = useState(() => draftFor(office));
  const { officeName, address, officePhone, greeting, isOpen, timeZone, confirmed } = office;
  const title = t`Check in`;

  useEffect(() => {
    document.title = `${title} · ${officeName}`;
  }, [title, officeName]);

  const inside = () => {
    if (!isOpen && !hasArrived) return <OfficeClosed office={office} />;
    return (
      <>
        {!confirmed && <NotConfirmed />}
        <Greeting greeting={greeting} hasArrived={hasArrived} />
        <CheckInForm draft={draft} onDraft={setDraft} withPhone={withPhone} hasArrived={hasArrived} send={send} />
      </>
    );
  };
  return (
    <OfficeZone value={timeZone}>
      <Frame officeName={officeName} address={address} officePhone={officePhone} onLanguage={onLanguage}>
        <OfflineBar kept={t`Your entries stay on this page.`} />
        {inside()}
      </Frame>
    </OfficeZone>
  );
}
