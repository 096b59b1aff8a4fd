import type { Peer } from './form-readers.ts';
import { isChoice, type QuestionTraits } from './question-traits.ts';

/** A question of `traitForms` that a program reads in another way than we do. */
export interface TraitDifference {
  peer: Peer;
  question: QuestionTraits;
  /** The answers that the person gave. */
  given: string;
  ours: string;
  theirs: string;
  /** The specification says that it is not asked. */
  isAsked: boolean;
}

interface Cause {
  reason: string;
  peers: readonly Peer[];
  explains: (difference: TraitDifference) => boolean;
}

const both: readonly Peer[] = ['Smart Forms', 'LHC-Forms'];
const nothing = 'nothing';
const isCalculated = ({ change }: QuestionTraits) => change.startsWith('calculated');

/** How each program deviates, as far as anybody found out (docs/form-differences.md): which questions it concerns, and what is left of them. */
const causes: readonly Cause[] = [
  {
    reason: 'a question that an expression hides keeps its answer',
    peers: ['LHC-Forms'],
    explains: ({ question, isAsked, ours }) =>
      question.condition === 'by an expression' && !isAsked && ours === nothing,
  },
  {
    reason: 'a follow-up question keeps its answer whatever its condition says',
    peers: ['Smart Forms'],
    explains: ({ question, isAsked, ours }) =>
      question.place === 'below an answer' && question.condition !== 'none' && !isAsked && ours === nothing,
  },
  {
    reason: 'a follow-up question is calculated before there is an answer to follow',
    peers: ['Smart Forms'],
    explains: ({ question, isAsked, ours }) =>
      question.place === 'below an answer' && isCalculated(question) && !isAsked && ours === nothing,
  },
  {
    reason: 'a calculated code is not found among options that have words only',
    peers: ['LHC-Forms'],
    explains: ({ question }) => question.options === 'display only' && isCalculated(question),
  },
  {
    reason: 'a calculation does not replace several answers',
    peers: ['LHC-Forms'],
    explains: ({ question, given, theirs }) => isCalculated(question) && question.occurs !== 'once' && theirs === given,
  },
  {
    reason: 'a calculation that a person overwrote is made again',
    peers: both,
    explains: ({ question }) => question.change === 'calculated, overwritten',
  },
  {
    reason: 'a calculated number is not rounded to the decimal places of its question',
    peers: both,
    explains: ({ question, ours, theirs }) =>
      isCalculated(question) &&
      question.limit === 'decimal places' &&
      (Math.round(Number(theirs) * 10) / 10).toString() === ours,
  },
  {
    reason: 'an option that is named by its words is not that option',
    peers: ['Smart Forms'],
    explains: ({ question, given, theirs }) =>
      question.answered === 'by the words of an option' && !isCalculated(question) && theirs === given,
  },
  {
    reason: 'a code that is no option is dropped instead of reported',
    peers: both,
    explains: ({ question, theirs }) =>
      isChoice(question) && question.answered === 'against a limit' && theirs === nothing,
  },
  {
    reason: 'a hidden choice that offers other answers loses its own',
    peers: ['LHC-Forms'],
    explains: ({ question, theirs }) =>
      question.options === 'from other answers' && question.change === 'hidden' && theirs === nothing,
  },
  {
    reason: 'answers to a choice with switched options are dropped',
    peers: ['Smart Forms'],
    explains: ({ question, theirs }) => question.options === 'switched by an expression' && theirs === nothing,
  },
  {
    reason: 'a calculation does not replace the answers of a choice or of a follow-up question',
    peers: ['Smart Forms'],
    explains: ({ question, given, theirs }) =>
      isCalculated(question) && theirs === given && (question.place === 'below an answer' || isChoice(question)),
  },
];

/** Why a program reads that question in another way; undefined if nobody knows. Ours has to be the plain reading, which the caller checks. */
export const knownTraitDifference = (difference: TraitDifference): string | undefined =>
  causes.find(({ peers, explains }) => peers.includes(difference.peer) && explains(difference))?.reason;

/**
 * Whether that question is compared with that program. What is in repetitions is not: Smart Forms calculates it on its screens only. LHC-Forms
 * begins each form anew with the answers it is given, so what begins with a value is not compared with it.
 */
export const isCompared = (peer: Peer, { place, begins }: QuestionTraits): boolean =>
  !place.includes('repeating') && !place.includes('several') && (peer === 'Smart Forms' || begins === 'empty');
