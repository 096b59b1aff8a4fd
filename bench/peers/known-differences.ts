import type { Peer } from './form-readers.ts';
import type { GeneratedForm } from './generated-forms.ts';
import { readPlainly, type Deviations } from './plain-reading.ts';

/** One question that a program reads in another way than we do. */
export interface Difference {
  peer: Peer;
  form: GeneratedForm;
  linkId: string;
  ours: string;
  theirs: string;
}

/** How each program deviates from the specification, as far as anybody found out (docs/form-differences.md). */
const deviationsOf: Record<Peer, Deviations> = {
  'Smart Forms': {
    conditionsSeeHidden: true,
    expressionsSeeHidden: true,
    unequalNeedsAnswer: true,
    ordinalIsEmpty: true,
  },
  'LHC-Forms': {
    hiddenByExpressionStays: true,
    datesNeverCompare: true,
    ordinalIsEmpty: true,
  },
};

const reasons: Record<keyof Deviations, string> = {
  conditionsSeeHidden: 'an answer to a question that is not asked counts in conditions',
  expressionsSeeHidden: 'an answer to a question that is not asked counts in expressions',
  hiddenByExpressionStays: 'a question that an expression hides keeps its answer',
  unequalNeedsAnswer: 'without an answer, "!=" is not true',
  datesNeverCompare: 'a date is never equal, unequal, earlier or later',
  ordinalIsEmpty: 'points of options are not known to expressions',
};

export const readingAt = (form: GeneratedForm, linkId: string, deviations: Deviations = {}): string =>
  readPlainly(form, deviations).get(linkId) ?? 'nothing';

/**
 * Why a program reads a question in another way than we do; undefined if nobody knows. Ours has to be what the specification says, and theirs
 * exactly what the program's deviations make of it, so a result that is missing or wrong on our side has no reason.
 */
export function knownDifference({ peer, form, linkId, ours, theirs }: Difference): string | undefined {
  const deviations = deviationsOf[peer];
  if (ours !== readingAt(form, linkId) || theirs !== readingAt(form, linkId, deviations)) return undefined;
  const names = Object.keys(deviations) as (keyof Deviations)[];
  const without = (name: keyof Deviations) => readingAt(form, linkId, { ...deviations, [name]: false });
  const decisive = names.find((name) => without(name) === ours) ?? names.find((name) => without(name) !== theirs);
  return decisive ? reasons[decisive] : 'several of these differences together';
}
