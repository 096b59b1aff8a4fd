import { useLingui } from '@lingui/react/macro';
import type { Transaction } from '#contract/transactions.ts';
import { DayTime, Money } from '#web/kit/format.tsx';
import { PaymentStatus } from '#web/panel/features/copay/index.ts';
import { PatientName } from '#web/panel/features/queue/index.ts';
import css from './transactions.module.css';

interface TransactionsTableProps {
  transactions: readonly Transaction[];
  onOpen: (transaction: Transaction) => void;
}

const isWrong = ({ recording, toCorrect }: Transaction) =>
  recording === 'missing' || recording === 'unknown' || toCorrect > 0;

/** One page of payments; a patient's name opens the payment. */
export function TransactionsTable({ transactions, onOpen }: TransactionsTableProps) {
  const { t } = useLingui();
  const recordings: Record<Transaction['recording'], string> = {
    none: '–',
    waiting: t`Waiting`,
    recorded: t`Recorded`,
    missing: t`Not recorded`,
    unknown: t`Not sure`,
  };
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{t`Patient`}</th>
          <th scope="col">{t`Date`}</th>
          <th scope="col" className={css.number}>{t`Amount`}</th>
          <th scope="col">{t`Status`}</th>
          <th scope="col">{t`Card`}</th>
          <th scope="col">{t`Practice software`}</th>
        </tr>
      </thead>
      <tbody>
        {transactions.map((transaction) => (
          <tr key={transaction.chargeId}>
            <td>
              <button
                type="button"
                className={css.open}
                aria-haspopup="dialog"
                onClick={() => onOpen(transaction)}
                data-charge={transaction.chargeId}
              >
                <PatientName name={transaction.patientName} />
              </button>
            </td>
            <td data-label={t`Date`}>
              <span>
                <DayTime at={transaction.createdAt} />
              </span>
            </td>
            <td className={css.number} data-label={t`Amount`}>
              <Money cents={transaction.amount} />
              {transaction.refunded > 0 && (
                <span className={css.refunded}>
                  {t`Refunded`} <Money cents={transaction.refunded} />
                </span>
              )}
            </td>
            <td data-label={t`Status`}>
              <PaymentStatus {...transaction} />
            </td>
            <td data-label={t`Card`}>
              {transaction.cardBrand === null ? '–' : `${transaction.cardBrand} ${transaction.cardLast4}`}
            </td>
            <td data-label={t`Practice software`}>
              <span className={isWrong(transaction) ? css.missing : undefined}>
                {transaction.toCorrect > 0 ? t`Correct it there` : recordings[transaction.recording]}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
