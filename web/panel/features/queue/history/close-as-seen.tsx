import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { mayMove, type QueueEntry } from '#contract/queue.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { dismissToast } from '#web/panel/ui/toasts.ts';
import { forgetUndo, rememberUndo, toastStep } from '#web/panel/features/queue/moves/undo.ts';
import { endVisit, useMove } from '#web/panel/features/queue/moves/use-move.ts';
import { cachedVisit } from '#web/panel/features/queue/visits/use-queue.ts';

/**
 * Moves those who were called in to History as seen, with one Undo for all. Patients who were never called in have not been seen: the desk
 * removes them one by one, with a reason.
 */
export function CloseAsSeen({ open }: { open: readonly QueueEntry[] }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const move = useMove(() => undefined);
  const called = open.filter((visit) => mayMove(visit, 'finish'));
  const count = called.length;
  if (count === 0) return null;
  const close = () => {
    for (const visit of called) move(visit, 'finish', 'seen', { isOneOfMany: true });
    const step = `close ${called.map(({ id }) => id).join(' ')}`;
    const undo = () => {
      forgetUndo(step);
      dismissToast(toastId);
      for (const visit of called) move(endVisit(cachedVisit(cache, visit.id) ?? visit), 'moveBack');
    };
    const title = t`${plural(count, { one: '# patient moved to History', other: '# patients moved to History' })}`;
    const toastId = toastStep({ title, action: { label: t`Undo`, run: undo }, seconds: 10 });
    rememberUndo(step, undo);
  };
  return (
    <Button size="s" onClick={close}>
      {count === open.length
        ? t`Close all as seen`
        : t`${plural(count, { one: 'Close # called-in visit as seen', other: 'Close # called-in visits as seen' })}`}
    </Button>
  );
}
