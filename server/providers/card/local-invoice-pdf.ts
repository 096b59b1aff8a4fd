import { createPdf } from '#server/kit/pdf/document.ts';
import { productName } from './local-prices.ts';
import type { invoiceById } from './local-sql.ts';
import type { InvoiceLine } from './port.ts';

type Invoice = NonNullable<Awaited<ReturnType<typeof invoiceById>>>;

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const money = (cents: number) => dollars.format(cents / 100);

/** An invoice of the local provider, with the days of the practice's time zone. */
export function localInvoicePdf(invoice: Invoice, product: string, timeZone: string): Promise<Buffer> {
  const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone });
  const title = `Invoice ${invoice.number}`;
  const pdf = createPdf({
    title,
    author: product,
    subject: `${product} membership`,
    product,
    language: 'en-US',
    date: invoice.at,
    documentText: invoice.name,
  });
  pdf.title(title);
  pdf.paragraph('This is a demonstration. Nobody was charged.', { after: 10 });
  pdf.facts([
    ['Practice', invoice.name],
    ['Date', days.format(invoice.at)],
    ['Status', invoice.status],
  ]);
  pdf.heading('Lines');
  pdf.facts([
    ...invoice.lines.map((line) => [textOf(line, days), money(line.cents)] as const),
    ['Total', money(invoice.totalCents)] as const,
  ]);
  return pdf.finish({ left: title, page: (n, of) => `Page ${n} of ${of}` });
}

function textOf({ text: { kind, productId, quantity, from, to } }: InvoiceLine, days: Intl.DateTimeFormat): string {
  const what = `${productName(productId)}, ${quantity} ${quantity === 1 ? 'provider' : 'providers'}`;
  const when = `${days.format(new Date(from))} to ${days.format(new Date(to))}`;
  if (kind === 'credit') return `Credit for ${what}, ${when}`;
  return kind === 'charge' ? `Rest of the period: ${what}, ${when}` : `${what}, ${when}`;
}
