import type { RefObject } from 'react';
import { queueStages, type QueueStage } from '#contract/sign-in/session.ts';
import { useKeys } from '#web/kit/keyboard-shortcuts.ts';
import type { QueueActions } from '#web/panel/features/queue/moves/use-queue-actions.ts';

interface QueueKeys {
  showOnly: (stage: QueueStage) => void;
  /** Off from the moment a dialog is wanted: what is typed then is for it. */
  enabled: boolean;
}

/** Binds the queue's keyboard shortcuts. The `?` key lists them. */
export function useQueueKeys(
  steps: QueueActions,
  searchBox: RefObject<HTMLInputElement | null>,
  { showOnly, enabled }: QueueKeys,
): void {
  const keys = {
    j: () => steps.step(1),
    k: () => steps.step(-1),
    i: steps.invite,
    r: steps.reinvite,
    h: steps.finish,
    m: steps.write,
    f: steps.forms,
    'shift+f': steps.askForForms,
    e: steps.expected,
    u: steps.undo,
    'mod+z': steps.undo,
    n: steps.textSomebody,
    'mod+k': steps.palette,
    '?': steps.help,
    '/': () => searchBox.current?.focus(),
    escape: steps.escape,
    ...Object.fromEntries(queueStages.map((stage, i) => [String(i + 1), () => showOnly(stage)])),
  };
  useKeys(keys, { enabled });
}
