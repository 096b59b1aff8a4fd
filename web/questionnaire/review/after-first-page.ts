/** What a form needs after its first page: the checks with their messages, the answers as texts, and the review. */
export { problemMessage as sayProblem } from '#questionnaire/checking/problem-messages.ts';
export { problemsOf, warningsIn } from '#questionnaire/checking/problems.ts';
export { answerText as sayAnswer } from './answer-text.ts';
export { Review } from './review.tsx';
