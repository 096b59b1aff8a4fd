/** What a form needs once its first page is on screen: what is wrong with an answer and in which words, answers in words, the review, the end. */
export { sayProblem } from '#contract/forms/problem-words.ts';
export { problemsOf } from '#contract/forms/problems.ts';
export { sayAnswer } from './answer-words.ts';
export { Conflict } from './conflict.tsx';
export { Done } from './done.tsx';
export { Review } from './review.tsx';
