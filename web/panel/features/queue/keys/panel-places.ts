/** Ids of the places in the selected patient's pane that keys lead to. */
export const visitNameId = 'visit-name';
export const messageBoxId = 'message-to-patient';
export const formsCardId = 'visit-forms';
/** Why the patient gets no texts: what buttons that text them refer to. */
export const noTextsId = 'visit-no-texts';

/** The pane of the selected patient. It follows the list a moment later, and says in `data-visit` whom it shows. */
export const paneId = 'patient-pane';

/** Moves the focus back to the list, where J, K and the other single keys work. */
export const focusList = (): void =>
  document.querySelector<HTMLElement>('#queue-list [role=listbox]')?.focus({ preventScroll: true });

/** How long a key waits for a place that is still loading. */
const patienceMs = 2_000;

/** The pane, once it shows this patient. */
const paneOf = (visitId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`#${paneId}[data-visit="${visitId}"]:not([inert])`);

/** Runs an action on the pane as soon as it shows this patient; not if another one was selected meanwhile. */
export function whenPaneShows(
  visitId: string,
  selectedNow: () => string | undefined,
  act: (pane: HTMLElement) => void,
): void {
  const giveUpAt = performance.now() + patienceMs;
  const look = () => {
    if (selectedNow() !== visitId) return;
    const pane = paneOf(visitId);
    if (pane) act(pane);
    else if (performance.now() < giveUpAt) requestAnimationFrame(look);
  };
  look();
}

/**
 * Moves the focus to a place in this patient's pane as soon as it is there; not if the person has moved on meanwhile. What is typed until
 * then is for that place, so it must not run as shortcuts.
 */
export function focusWhenThere(visitId: string, selector: string): void {
  const from = document.activeElement;
  const giveUpAt = performance.now() + patienceMs;
  const look = () => {
    const place = paneOf(visitId)?.querySelector<HTMLElement>(selector);
    const hasMovedOn = document.activeElement !== from && document.activeElement !== document.body;
    if (!place && !hasMovedOn && performance.now() < giveUpAt) return void requestAnimationFrame(look);
    window.removeEventListener('keydown', holdLetter, { capture: true });
    if (!hasMovedOn) place?.focus({ preventScroll: true });
  };
  window.addEventListener('keydown', holdLetter, { capture: true });
  look();
}

function holdLetter(event: KeyboardEvent): void {
  if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation();
}
