import type { QueueEntry } from '#contract/queue.ts';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { CommandPalette } from '#web/panel/features/queue/keys/command-palette.tsx';
import { KeyboardHelp } from '#web/panel/features/queue/keys/keyboard-help.tsx';
import { useCommands } from '#web/panel/features/queue/keys/palette-commands.ts';
import { TextNewPatient } from '#web/panel/features/queue/expected/text-new-patient.tsx';
import type { DialogName, QueueActions } from '#web/panel/features/queue/moves/use-queue-actions.ts';

interface QueueDialogsProps {
  dialog: DialogName | undefined;
  /** The expected patient whose number is corrected. */
  correcting: SmsCheckin | undefined;
  visits: readonly QueueEntry[];
  chosen: QueueEntry | undefined;
  steps: QueueActions;
  onClose: () => void;
}

/** The dialogs of the queue: commands, shortcuts, and texting somebody. */
export function QueueDialogs({ dialog, correcting, visits, chosen, steps, onClose }: QueueDialogsProps) {
  const commands = useCommands(chosen, steps);
  if (correcting) return <TextNewPatient key={correcting._id} correcting={correcting} onClose={onClose} />;
  if (dialog === 'palette')
    return (
      <CommandPalette visits={visits} commands={commands} onVisit={({ id }) => steps.choose(id)} onClose={onClose} />
    );
  if (dialog === 'help') return <KeyboardHelp onClose={onClose} />;
  return dialog === 'text' && <TextNewPatient onClose={onClose} />;
}
