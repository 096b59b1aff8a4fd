import { useLingui } from '@lingui/react/macro';
import { SettingsRoom } from '#web/features/settings/settings-room.tsx';
import { TeamPage } from '#web/features/team/team-page.tsx';

/** The team stands among the settings. */
export function TeamRoom() {
  const { t } = useLingui();
  return (
    <SettingsRoom title={t`Team`}>
      <TeamPage />
    </SettingsRoom>
  );
}
