import { useLingui } from '@lingui/react/macro';
import { Outbox, ZoneNote } from '#web/panel/features/sms/index.ts';
import { Page } from '#web/panel/ui/page.tsx';
import { ReminderGuides } from './reminder-guides.tsx';
import { Templates } from './templates.tsx';
import { UploadCard } from './upload-card.tsx';

/** Engage Patients: texts that bring patients to the check-in page. It is `/dashboard` at an office without the Check-in tab. */
export function EngagePage() {
  const { t } = useLingui();
  return (
    <Page title={t`Engage Patients`}>
      <Templates />
      <ReminderGuides />
      <ZoneNote />
      <UploadCard />
      <Outbox />
    </Page>
  );
}
