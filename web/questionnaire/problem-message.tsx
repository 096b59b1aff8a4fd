import type { Problem } from '#questionnaire/checking/problems.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { AlertCircleIcon as WarningIcon } from '#web/icons/alert-circle.tsx';
import { usePart } from './lazy-parts.ts';
import fields from '#web/questionnaire/ui/field.module.css';

/** The message about a problem of an answer. */
export function ProblemMessage({ id, role, problem }: { id?: string; role?: 'alert'; problem: Problem }) {
  const language = useLanguage();
  const rest = usePart('rest');
  return (
    <p id={id} role={role} className={problem.isWarning ? fields.note : fields.error}>
      <WarningIcon size={18} />
      <span>{rest?.sayProblem(problem, language)}</span>
    </p>
  );
}
