import { Plural, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Transaction, TransactionFilter } from '#contract/transactions.ts';
import { CalendarIcon } from '#web/icons/calendar.tsx';
import { CardIcon } from '#web/icons/card.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { ExternalIcon } from '#web/icons/external.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { serverNow } from '#web/kit/clock.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { DayTime, formatDate, Money, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { PaymentDetails } from '#web/panel/features/copay/index.ts';
import { dayOf } from '#web/kit/office-clock.ts';
import { useShownName } from '#web/panel/features/queue/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button, buttonClass } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { CursorPager } from '#web/panel/ui/pager.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { DayReport } from './day-report.tsx';
import { OpenQuestions } from './open-questions.tsx';
import { TransactionsFilter } from './transactions-filter.tsx';
import { useStatusNames } from './status-names.ts';
import { TransactionsTable } from './transactions-table.tsx';
import css from './transactions.module.css';
import { useDownload, useTotals, useTransactions, type PageStart } from './use-transactions.ts';

/** `/dashboard/transactions`: the office's payments, newest first. */
export function TransactionsPage() {
  const { t } = useLingui();
  const shownName = useShownName();
  const today = dayOf(serverNow(), useOfficeZone());
  const [filter, setFilter] = useState<TransactionFilter>({});
  const [start, setStart] = useState<PageStart>({});
  const [opened, setOpened] = useState<Transaction | null>(null);
  const [reporting, setReporting] = useState(false);
  const list = useTransactions(filter, start);
  const download = useDownload(filter);
  const dashboardUrl = list.data?.dashboardUrl;
  return (
    <Page
      wide
      title={t`Transactions`}
      actions={
        <div className={css.buttons}>
          {dashboardUrl && (
            <a className={buttonClass({})} href={dashboardUrl} target="_blank" rel="noopener noreferrer">
              <ExternalIcon /> {t`See transactions details`}
            </a>
          )}
          <Button icon={CalendarIcon} aria-haspopup="dialog" onClick={() => setReporting(true)}>
            {t`End-of-day report`}
          </Button>
          <Button icon={DownloadIcon} busy={download.isPending} onClick={() => download.mutate()}>
            {t`Download CSV`}
          </Button>
          <Button icon={PrintIcon} onClick={() => window.print()}>
            {t`Print`}
          </Button>
        </div>
      }
    >
      <PrintedLine filter={filter} />
      <OpenQuestions />
      <TransactionsFilter
        today={today}
        onFilter={(next) => {
          setFilter(next);
          setStart({});
        }}
      />
      {download.error && (
        <Banner tone="red">{errorMessage(download.error, t`The server could not be reached. Try again.`)}</Banner>
      )}
      {list.isRefetchError && (
        <Banner tone="red">{errorMessage(list.error, t`The server could not be reached.`)}</Banner>
      )}
      <Totals filter={filter} />
      {list.isPending && <Waiting />}
      {list.isError && !list.data && <LoadError title={t`The transactions could not be loaded`} query={list} />}
      {list.data?.transactions.length === 0 && <EmptyState icon={CardIcon} title={t`No Transactions Found`} />}
      {list.data && list.data.transactions.length > 0 && (
        <>
          <TransactionsTable transactions={list.data.transactions} onOpen={setOpened} />
          <CursorPager {...list.data} onStart={setStart} />
        </>
      )}
      {opened && (
        <PaymentDetails
          known={{ ...opened, transferId: null }}
          name={shownName(opened.patientName)}
          onClose={() => setOpened(null)}
        />
      )}
      {reporting && <DayReport today={today} onClose={() => setReporting(false)} />}
    </Page>
  );
}

/** Printed only: the practice, when it was printed, and what the list was filtered by. */
function PrintedLine({ filter: { patientName, from, to, status = 'all' } }: { filter: TransactionFilter }) {
  const { t } = useLingui();
  const { office } = useSession();
  const language = useLanguage();
  const statuses = useStatusNames();
  const shown = [
    patientName,
    from !== undefined && to !== undefined && `${formatDate(from, language)} – ${formatDate(to, language)}`,
    statuses[status],
  ].filter(Boolean);
  return (
    <p className={css.printed}>
      <strong>{office?.officeName}</strong> · {shown.join(' · ')} · {t`Printed`}{' '}
      <DayTime at={new Date(serverNow()).toISOString()} />
    </p>
  );
}

/** How many match, and their money. */
function Totals({ filter }: { filter: TransactionFilter }) {
  const { t } = useLingui();
  const { data } = useTotals(filter);
  if (!data) return <p className={css.totals} />;
  return (
    <p className={css.totals} role="status">
      <strong>
        <Plural value={data.count} one="# transaction" other="# transactions" />
      </strong>
      <span>
        {t`Charged`} <Money cents={data.charged} />
      </span>
      <span>
        {t`Refunded`} <Money cents={data.refunded} />
      </span>
      {data.missing > 0 && (
        <span className={css.missing}>
          {t`Not recorded`} <Money cents={data.missing} />
        </span>
      )}
    </p>
  );
}

function Waiting() {
  return (
    <div className={css.waiting}>
      {Array.from({ length: 6 }, (_, i) => (
        <Skeleton key={i} height={48} />
      ))}
    </div>
  );
}
