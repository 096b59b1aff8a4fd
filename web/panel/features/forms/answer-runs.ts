import type { FiledAnswer } from '#contract/forms/desk.ts';

/** Answers in a row that are shown in one list. */
export interface AnswerRun {
  kind: FiledAnswer['kind'];
  /** The nested group that begins here; empty within one group. */
  heading: string;
  answers: FiledAnswer[];
}

/** A section's answers in runs of the same kind and group. */
export function answerRuns(answers: readonly FiledAnswer[]): AnswerRun[] {
  const runs: AnswerRun[] = [];
  let group = '';
  for (const answer of answers) {
    const last = runs.at(-1);
    if (last?.kind === answer.kind && answer.group === group) last.answers.push(answer);
    else runs.push({ kind: answer.kind, heading: answer.group === group ? '' : answer.group, answers: [answer] });
    group = answer.group;
  }
  return runs;
}
