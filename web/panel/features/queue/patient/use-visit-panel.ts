import { lateFile, useFetch } from '#web/panel/features/queue/page/late-file.ts';

const file = lateFile(() => import('./visit-panel.tsx'));

/** Fetches the selected patient's pane, for an address that names one. */
export const fetchVisitPanel = file.fetch;

/** The code of the selected patient's pane: a third of the page, which the list need not wait for. */
export function useVisitPanel(isNeeded: boolean) {
  useFetch(file, { isNeeded, soon: true });
  return { VisitPanel: file.useFile()?.VisitPanel, hasFailed: file.useHasFailed(), retry: file.fetch };
}
