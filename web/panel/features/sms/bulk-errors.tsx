import { useLingui } from '@lingui/react/macro';
import { mostRows } from '#contract/sms.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import type { ListMode } from './rows-draft.ts';
import css from './sms.module.css';
import type { BulkFormState } from './use-bulk-form.ts';

/** What must be corrected before a list can be sent. */
export function BulkErrors({ bulk, mode }: { bulk: BulkFormState; mode: ListMode }) {
  const { t } = useLingui();
  const atMost = mostRows.toLocaleString(useLanguage());
  return (
    <div className={css.errors} role="alert">
      {bulk.isTooLong && (
        <p>
          {t`One send takes ${atMost} rows at most. Remove rows here, or split the file and send its parts one after the other.`}
        </p>
      )}
      {bulk.badCount > 0 && <p>{t`Please fix the errors in the form`}</p>}
      {(mode === 'appointment' ? bulk.hasBadTime : bulk.hasTimeOutOfRange) && (
        <p>
          {mode === 'appointment'
            ? t`Some appointments have no clear time, are in the past, or are more than 7 days from now.`
            : t`Some dates are outside of the allowed range. Scheduled dates must be at least 30 minutes from now and no more than 7 days from now.`}
        </p>
      )}
    </div>
  );
}
