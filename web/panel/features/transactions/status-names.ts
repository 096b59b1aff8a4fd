import { useLingui } from '@lingui/react/macro';
import type { TransactionStatus } from '#contract/transactions.ts';

/** The options of the status filter. */
export function useStatusNames(): Record<TransactionStatus, string> {
  const { t } = useLingui();
  return {
    all: t`Show all`,
    successful: t`Successful`,
    pending: t({ message: 'Pending', context: 'payments' }),
    canceled: t({ message: 'Canceled', context: 'payments' }),
  };
}
