import { afterEach, expect, test, vi } from 'vitest';
import { whenPaneShows } from './panel-places.ts';

afterEach(() => vi.unstubAllGlobals());

/** A page whose pane shows one patient, and the frames that it draws. */
function pageShowing(visitId: string) {
  const frames: (() => void)[] = [];
  const pane = { shows: visitId, isInert: false };
  vi.stubGlobal('document', {
    querySelector: (selector: string) =>
      selector.includes(`[data-visit="${pane.shows}"]`) && !(selector.includes(':not([inert])') && pane.isInert)
        ? pane
        : null,
  });
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  return { pane, draw: () => frames.splice(0).forEach((frame) => frame()) };
}

test('a key acts on the pane at once if it shows the selected patient', () => {
  pageShowing('jo');
  const act = vi.fn<(pane: HTMLElement) => void>();
  whenPaneShows('jo', () => 'jo', act);
  expect(act).toHaveBeenCalledOnce();
});

test('a key waits while the pane still shows the patient before, and acts once it has caught up', () => {
  const { pane, draw } = pageShowing('jo');
  const act = vi.fn<(pane: HTMLElement) => void>();
  whenPaneShows('kit', () => 'kit', act);
  draw();
  pane.isInert = true;
  draw();
  expect(act).not.toHaveBeenCalled();
  pane.shows = 'kit';
  draw();
  expect(act).not.toHaveBeenCalled();
  pane.isInert = false;
  draw();
  draw();
  expect(act).toHaveBeenCalledOnce();
});

test('a key does nothing if another patient was selected before the pane caught up', () => {
  const { pane, draw } = pageShowing('jo');
  const act = vi.fn<(pane: HTMLElement) => void>();
  let selected = 'kit';
  whenPaneShows('kit', () => selected, act);
  selected = 'lee';
  pane.shows = 'kit';
  draw();
  draw();
  expect(act).not.toHaveBeenCalled();
});
