import type { Problem } from '#contract/forms/problems.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { WarningIcon } from './icons.tsx';
import { usePart } from './parts.ts';
import css from './question.module.css';

/** What is wrong with an answer, in words. */
export function ProblemWords({ id, role, problem }: { id?: string; role?: 'alert'; problem: Problem }) {
  const language = useLanguage();
  const rest = usePart('rest');
  return (
    <p id={id} role={role} className={css.error}>
      <WarningIcon size={18} />
      <span>{rest?.sayProblem(problem, language)}</span>
    </p>
  );
}
