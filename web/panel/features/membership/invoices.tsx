import { useLingui } from '@lingui/react/macro';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Invoice } from '#contract/membership.ts';
import { DownloadIcon } from '#web/icons/download.tsx';
import { Money } from '#web/kit/format.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Row, Rows, SecondaryText } from '#web/panel/ui/rows.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { LongDate } from './long-date.tsx';
import { useInvoicePdf, type MembershipData } from './use-membership.ts';

const statusNames: Record<Invoice['status'], MessageDescriptor> = {
  paid: msg`Paid`,
  open: msg`Not paid yet`,
  void: msg`Canceled`,
  uncollectible: msg`Not paid`,
};

/** The invoices, newest first, each as a PDF. */
export function Invoices({ membership: { invoices, customer } }: { membership: MembershipData }) {
  const { t } = useLingui();
  const download = useInvoicePdf(customer);
  return (
    <Card title={t`Invoices`}>
      {invoices.length === 0 && <p>{t`No invoices yet.`}</p>}
      <Rows>
        {invoices.map(({ id, number, at, status, total }) => (
          <Row
            key={id}
            name={<Money cents={total} />}
            end={
              <Button
                size="s"
                icon={DownloadIcon}
                busy={download.isPending && download.variables === id}
                onClick={() => download.mutate(id)}
                aria-label={t`Download PDF of invoice ${number}`}
              >
                {t`PDF`}
              </Button>
            }
          >
            <SecondaryText>
              <LongDate at={at} /> · {number} · {t(statusNames[status])}
            </SecondaryText>
          </Row>
        ))}
      </Rows>
      <ErrorText error={download.error} />
    </Card>
  );
}
