import type { Problem } from '#questionnaire/checking/problems.ts';

/** The first problem of each field, by the key of its answers: a field shows only one. */
export function firstProblems(problems: readonly Problem[]): ReadonlyMap<string, Problem> {
  const first = new Map<string, Problem>();
  for (const problem of problems) if (!first.has(problem.path)) first.set(problem.path, problem);
  return first;
}
