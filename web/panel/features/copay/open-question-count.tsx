import { useLingui } from '@lingui/react/macro';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { useOpenQuestionCount } from './use-open-questions.ts';

/** The length of the to-do list, in the Transactions tab. */
export function OpenQuestionCount() {
  const { t } = useLingui();
  const count = useOpenQuestionCount();
  if (count === 0) return null;
  return (
    <Counter strong>
      {count}
      <VisuallyHidden> {t`to do`}</VisuallyHidden>
    </Counter>
  );
}
