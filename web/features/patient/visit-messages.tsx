import { useLingui } from '@lingui/react/macro';
import type { PatientVisit } from '#contract/patient.ts';
import { Time } from '#web/kit/format.tsx';
import css from './visit-messages.module.css';

/** What the office wrote, the newest first: it is what matters now. */
export function VisitMessages({ messages }: Pick<PatientVisit, 'messages'>) {
  const { t } = useLingui();
  return (
    <div role="log" aria-label={t`Messages from the front desk`} className={css.log}>
      {messages.length > 0 && (
        <section className={css.messages}>
          <h2>{t`Messages from the front desk`}</h2>
          <ul>
            {messages.toReversed().map(({ id, at, body }) => (
              <li key={id} className={css.message}>
                <p dir="auto">{body}</p>
                <p className={css.time}>
                  <Time at={at} />
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
