import type { RefObject } from 'react';
import { inviteAgainMove, mayMove, type QueueEntry } from '#contract/queue.ts';
import { expectedId } from '#web/panel/features/queue/expected/expected-patients.tsx';
import { useOpenForms } from '#web/panel/features/queue/forms/use-open-forms.ts';
import { formsCardId, messageBoxId, whenPaneShows } from '#web/panel/features/queue/keys/panel-places.ts';
import type { Tab } from '#web/panel/features/queue/page/use-queue-address.ts';
import { mayInvite } from './may-invite.ts';
import { useMove, useUndo, type MakeMove } from './use-move.ts';
import { isNarrow, useSelection } from './use-selection.ts';

export type DialogName = 'palette' | 'help' | 'text';

interface QueueActionsInput {
  /** The visits on the list, in order. */
  shown: readonly QueueEntry[];
  all: readonly QueueEntry[];
  /** Today's visits: only they can be called in. */
  here: readonly QueueEntry[] | undefined;
  list: RefObject<HTMLDivElement | null>;
  open: (dialog: DialogName) => void;
  clearSearch: () => void;
}

/** The actions of the queue, run by mouse, key or palette. */
export interface QueueActions {
  choose: (id: string) => void;
  step: (by: 1 | -1) => void;
  enter: () => void;
  leave: () => void;
  escape: () => void;
  move: MakeMove;
  invite: () => void;
  reinvite: () => void;
  finish: () => void;
  undo: () => void;
  write: () => void;
  /** Leads to the forms of the selected patient. */
  forms: () => void;
  /** Requests every form that is missing, in one text. */
  askForForms: () => void;
  /** Opens the group of expected patients. */
  expected: () => void;
  textSomebody: () => void;
  palette: () => void;
  help: () => void;
  showTab: (tab: Tab) => void;
}

/** Scrolls to the patient's forms and moves the focus to the first that needs a review, or else to the first of them. */
function showForms(card: HTMLElement): void {
  const toReview = card.querySelector<HTMLElement>('li[data-review] a');
  const first = toReview ?? card.querySelector<HTMLElement>('li a, li button') ?? card;
  card.scrollIntoView({ block: 'nearest' });
  first.focus();
}

/** Opens the group of expected patients. */
function openExpected(): void {
  const group = document.querySelector<HTMLDetailsElement>(`#${expectedId}`);
  if (!group) return;
  group.open = true;
  group.querySelector<HTMLElement>('summary')?.focus();
}

export function useQueueActions({ shown, all, here, list, open, clearSearch }: QueueActionsInput): QueueActions {
  const { selectedNow, go, focusList, lead, enter, showAgain, choose, leave, step } = useSelection({ shown, list });
  /** Keys act on the patient who is selected now, never on one whom the pane still shows. */
  const selected = () => all.find(({ id }) => id === selectedNow());
  const isToday = (visit: QueueEntry) => here?.includes(visit) === true;
  const makeMove = useMove(showAgain);
  const openForms = useOpenForms();

  /** Selects the next patient when one leaves the list, and one who was moved back. */
  const move: MakeMove = (visit, name, reason) => {
    const place = shown.findIndex(({ id }) => id === visit.id);
    makeMove(visit, name, reason);
    if (!mayMove(visit, name)) return;
    if (name === 'moveBack') return showAgain(visit.id);
    if ((name !== 'finish' && name !== 'remove') || place < 0) return;
    if (isNarrow()) return leave();
    go({ visit: (shown[place + 1] ?? shown[place - 1])?.id });
    focusList();
  };
  const undo = useUndo(all, move);

  return {
    choose,
    step,
    enter,
    leave,
    escape: () => (selectedNow() && isNarrow() ? leave() : clearSearch()),
    move,
    invite: () => {
      const visit = selected();
      if (visit && isToday(visit) && mayInvite(visit)) move(visit, 'invite');
    },
    reinvite: () => {
      const visit = selected();
      if (visit && isToday(visit)) move(visit, inviteAgainMove(visit.statusCode));
    },
    finish: () => {
      const visit = selected();
      if (visit) move(visit, 'finish');
    },
    undo,
    write: () => lead(`#${messageBoxId} textarea`),
    forms: () => {
      const id = selectedNow();
      const visit = selected();
      if (!id) return;
      whenPaneShows(id, selectedNow, (pane) => {
        const card = pane.querySelector<HTMLElement>(`#${formsCardId}`);
        if (card) showForms(card);
        else if (visit) openForms(visit);
      });
    },
    askForForms: () => {
      const id = selectedNow();
      if (id)
        whenPaneShows(id, selectedNow, (pane) => pane.querySelector<HTMLElement>('[data-ask-all-forms]')?.click());
    },
    expected: openExpected,
    textSomebody: () => open('text'),
    palette: () => open('palette'),
    help: () => open('help'),
    showTab: (tab) => go({ tab: tab === 'history' ? 'history' : undefined, day: undefined }),
  };
}
