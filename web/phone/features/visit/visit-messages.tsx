import { useLingui } from '@lingui/react/macro';
import type { PatientVisit } from '#contract/patient.ts';
import { Time } from '#web/kit/format.tsx';
import css from './visit-messages.module.css';

/** What the practice and the patient wrote, the newest first: it is what matters now. */
export function VisitMessages({
  messages,
  isDeskWriting,
}: Pick<PatientVisit, 'messages'> & { isDeskWriting: boolean }) {
  const { t } = useLingui();
  return (
    <div role="log" aria-label={t`Messages`} className={css.log}>
      {(messages.length > 0 || isDeskWriting) && (
        <section className={css.messages}>
          <h2>{t`Messages`}</h2>
          <ul>
            {isDeskWriting && (
              <li className={`${css.message} ${css.office}`}>
                <p className={css.sender}>{t`Front desk`}</p>
                <p>{t`Writing...`}</p>
              </li>
            )}
            {messages.toReversed().map(({ id, at, from, body }) => (
              <li key={id} className={`${css.message} ${css[from]}`}>
                <p className={css.sender}>{from === 'office' ? t`Front desk` : t`You`}</p>
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
