import type { LateMinutes } from '#contract/practice/office.ts';
import { isHistory, isInside, type QueueEntry, type VisitStatus } from '#contract/queue.ts';
import { queueStages, type QueueStage } from '#contract/sign-in/session.ts';
import { byArrival, byTimeInStage, latenessOf } from './lateness.ts';
import { needsReview } from '#web/panel/features/queue/forms/forms-to-review.ts';
import { textFailed } from '#web/panel/features/queue/texting/text-trouble.ts';

export type Stages = Record<QueueStage, readonly QueueEntry[]>;

/** A line of the list: the heading of a stage, or a card. History has no stages. */
export type Row =
  | { kind: 'heading'; stage: QueueStage; count: number; isOpen: boolean }
  | { kind: 'visit'; visit: QueueEntry };

const stageOfStatus: Partial<Record<VisitStatus, QueueStage>> = {
  WAITING: 'waiting',
  INVITED: 'called',
  REINVITED: 'called',
  GOING: 'going',
  PATIENT_DONE: 'inside',
};

/** Whether the desk has to do something about this patient now. */
function needsYou(visit: QueueEntry, limits: LateMinutes, now: number): boolean {
  if (visit.unreadMessages > 0) return true;
  if (isHistory(visit.statusCode)) return false;
  const isRefused = textFailed(visit) && visit.lastMessageState !== 'unknown';
  return isRefused || needsReview(visit) || latenessOf(visit, limits, now) === 'red';
}

/** The visits of the Checkin tab in their stages. A patient who needs the desk is in that stage only. */
export function stagesOf(visits: readonly QueueEntry[], limits: LateMinutes, now: number): Stages {
  const found: Record<QueueStage, QueueEntry[]> = { 'needs-you': [], waiting: [], called: [], going: [], inside: [] };
  for (const visit of visits) {
    if (isHistory(visit.statusCode) && !isInside(visit, now)) continue;
    const stage = needsYou(visit, limits, now) ? 'needs-you' : stageOfStatus[visit.statusCode];
    if (stage) found[stage].push(visit);
  }
  return {
    'needs-you': byArrival(found['needs-you']),
    waiting: byTimeInStage(found.waiting),
    called: byTimeInStage(found.called),
    going: byTimeInStage(found.going),
    inside: byTimeInStage(found.inside),
  };
}

interface StageChoice {
  /** Stages that this person closed. */
  closed: readonly QueueStage[];
  /** The only stage to show, if it has patients. */
  only: QueueStage | undefined;
}

/** Headings and cards in order. Empty stages are left out. */
export function rowsOf(all: Stages, { closed, only }: StageChoice): Row[] {
  const one = only && all[only].length > 0 ? only : undefined;
  return queueStages
    .filter((stage) => all[stage].length > 0 && (one === undefined || stage === one))
    .flatMap((stage) => {
      const isOpen = stage === one || !closed.includes(stage);
      const heading: Row = { kind: 'heading', stage, count: all[stage].length, isOpen };
      return isOpen ? [heading, ...plainRows(all[stage])] : [heading];
    });
}

/** Cards without headings. */
export const plainRows = (visits: readonly QueueEntry[]): Row[] => visits.map((visit) => ({ kind: 'visit', visit }));

/** The visits of the rows, in order. */
export const visitsOf = (rows: readonly Row[]): QueueEntry[] =>
  rows.flatMap((row) => (row.kind === 'visit' ? [row.visit] : []));
