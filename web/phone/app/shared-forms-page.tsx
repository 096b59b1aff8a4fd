import { useEffect } from 'react';
import buttons from '#web/questionnaire/ui/button.module.css';
import { Frame } from '#web/phone/ui/frame.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Loading } from '#web/phone/ui/loading.tsx';
import { Notice } from '#web/phone/ui/notice.tsx';
import { OfflineBar } from '#web/phone/ui/offline-bar.tsx';
import { useSharedFormsRoute } from '#web/phone/features/sharing/link-address.ts';
import { SharedFormsCard, SharedFormsList } from '#web/phone/features/sharing/shared-forms.tsx';
import { useSharedFormsMessages } from '#web/phone/features/sharing/outside-messages.ts';
import { handleLinkError, useSharedForms } from '#web/phone/features/sharing/use-shared-forms.ts';
import { useConnection } from '#web/kit/connection.ts';
import { OfficeZone } from '#web/kit/format.tsx';

export { loadMessages } from '#web/phone/features/sharing/messages.ts';

/** `/forms/shared`, `/form-error`, `/form-expired`: what the recipient of a link sees. */
export function SharedFormsPage() {
  const { place, openList, tryAgain, expired, failed } = useSharedFormsRoute();
  const { page, link, office, list } = place;
  const messages = useSharedFormsMessages();
  const { lost } = useConnection();
  const outcome = { onExpired: expired, onFailed: failed };
  const shared = useSharedForms(page === 'shared' ? link : null, outcome);
  useEffect(() => {
    if (page === 'shared') document.title = messages.title;
  }, [page, messages.title]);

  if (page === 'expired')
    return (
      <Frame {...office}>
        <Notice icon={ClockIcon} title={messages.title}>
          <p>{messages.expired}</p>
        </Notice>
      </Frame>
    );
  if (page === 'error')
    return (
      <Frame>
        <Notice icon={WarningIcon} tone="amber" title={messages.title}>
          <p>{messages.error}</p>
          {link && (
            <button type="button" className={buttons.plain} onClick={tryAgain}>
              {messages.again}
            </button>
          )}
        </Notice>
      </Frame>
    );
  if (!shared) return <Loading failed={lost} />;
  return (
    <OfficeZone value={shared.timeZone}>
      <Frame officeName={shared.officeName} officePhone={shared.officePhone}>
        <OfflineBar kept="" />
        {list && link ? (
          <SharedFormsList shared={shared} link={link} onRefused={(error) => handleLinkError(error, outcome)} />
        ) : (
          <SharedFormsCard shared={shared} onView={openList} />
        )}
      </Frame>
    </OfficeZone>
  );
}
