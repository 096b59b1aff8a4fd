import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { isHistory, mayMove, type QueueEntry } from '#contract/queue.ts';
import { useSavePreference, useSession } from '#web/kit/session.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { EyeIcon } from '#web/icons/eye.tsx';
import { EyeOffIcon } from '#web/icons/eye-off.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { HistoryIcon } from '#web/icons/history.tsx';
import { KeyboardIcon } from '#web/icons/keyboard.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { PeopleIcon } from '#web/icons/people.tsx';
import { PersonAddIcon } from '#web/icons/person-add.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { QrIcon } from '#web/icons/qr.tsx';
import { RepeatIcon } from '#web/icons/repeat.tsx';
import { RowsIcon } from '#web/icons/rows.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { SettingsIcon } from '#web/icons/settings.tsx';
import { UndoIcon } from '#web/icons/undo.tsx';
import { VolumeIcon } from '#web/icons/volume.tsx';
import { VolumeOffIcon } from '#web/icons/volume-off.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { mayInvite } from '#web/panel/features/queue/moves/may-invite.ts';
import { usePrivacy } from '#web/panel/features/queue/privacy.tsx';
import type { QueueActions } from '#web/panel/features/queue/moves/use-queue-actions.ts';
import { useSwitchSound, useWantsSound } from '#web/panel/features/queue/news/sound-switch.tsx';
import { useDensity } from '#web/panel/features/queue/page/view-menu.tsx';

/** A command in the palette. */
export interface Command {
  label: string;
  icon: Icon;
  /** Its keyboard shortcut. */
  keys?: string;
  run: () => void;
}

/** The commands available now: those for the selected patient first. */
export function useCommands(chosen: QueueEntry | undefined, steps: QueueActions): Command[] {
  const { t } = useLingui();
  const save = useSavePreference();
  const privacy = usePrivacy();
  const density = useDensity();
  const sound = useWantsSound() === true;
  const switchSound = useSwitchSound();
  const navigate = useNavigate();
  const formsPage = useSession().flags.useOldFormsScreen ? '/dashboard/forms' : '/dashboard/form-types';
  const commands: (Command | false | undefined)[] = [
    chosen && mayInvite(chosen) && { label: t`Invite Patient`, icon: SendIcon, keys: 'I', run: steps.invite },
    chosen &&
      (mayMove(chosen, 'reinvite') || mayMove(chosen, 'remind')) && {
        label: t`Reinvite`,
        icon: RepeatIcon,
        keys: 'R',
        run: steps.reinvite,
      },
    chosen &&
      mayMove(chosen, 'finish') && { label: t`Move to History`, icon: HistoryIcon, keys: 'H', run: steps.finish },
    chosen && { label: t`Write a message`, icon: MessageIcon, keys: 'M', run: steps.write },
    chosen?.forms.some(({ incomplete }) => incomplete) &&
      !isHistory(chosen.statusCode) && {
        label: t`Request all missing forms`,
        icon: SendIcon,
        keys: 'Shift+F',
        run: steps.askForForms,
      },
    chosen && { label: t`Open the patient’s forms`, icon: FormIcon, keys: 'F', run: steps.forms },
    chosen && { label: t`Print`, icon: PrintIcon, run: () => window.print() },
    { label: t`Undo the last move to History`, icon: UndoIcon, keys: 'U', run: steps.undo },
    { label: t`Text a patient`, icon: PersonAddIcon, keys: 'N', run: steps.textSomebody },
    { label: t`View Forms`, icon: FormIcon, run: () => void navigate({ to: formsPage }) },
    { label: t`Settings`, icon: SettingsIcon, run: () => void navigate({ to: '/dashboard/settings' }) },
    { label: t`Check-in poster`, icon: QrIcon, run: () => void navigate({ to: '/dashboard/settings/poster' }) },
    { label: t`Open the patient list`, icon: PeopleIcon, run: () => void navigate({ to: '/dashboard/patient-list' }) },
    { label: t`Show Checkin`, icon: CheckCircleIcon, run: () => steps.showTab('checkin') },
    { label: t`Show History`, icon: HistoryIcon, run: () => steps.showTab('history') },
    {
      label: privacy ? t`Show full names` : t`Show initials only`,
      icon: privacy ? EyeIcon : EyeOffIcon,
      run: () => void save({ privacy: !privacy }),
    },
    {
      label: density === 'compact' ? t`Comfortable rows` : t`Compact rows`,
      icon: RowsIcon,
      run: () => void save({ density: density === 'compact' ? 'comfortable' : 'compact' }),
    },
    {
      label: sound ? t`Turn sound off` : t`Turn sound on`,
      icon: sound ? VolumeOffIcon : VolumeIcon,
      run: () => switchSound(!sound),
    },
    { label: t`Keyboard shortcuts`, icon: KeyboardIcon, keys: '?', run: steps.help },
  ];
  return commands.filter((command): command is Command => Boolean(command));
}
