/** What a form needs once its first page is on screen: what is wrong with an answer and in which words, answers in words, the review. */
export { sayProblem } from '#questionnaire/checking/problem-messages.ts';
export { problemsOf } from '#questionnaire/checking/problems.ts';
export { answerText as sayAnswer } from './answer-text.ts';
export { Review } from './review.tsx';
