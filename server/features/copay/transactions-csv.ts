import type { Language } from '#contract/shapes.ts';
import type { Transaction } from '#contract/transactions.ts';
import { dayOf } from '#server/kit/day.ts';

const heads = {
  en: ['Date', 'Time', 'Patient', 'Amount', 'Refunded', 'Status', 'Card', 'Charge ID', 'Recorded'],
  es: ['Fecha', 'Hora', 'Paciente', 'Importe', 'Reembolsado', 'Estado', 'Tarjeta', 'ID del cobro', 'Registrado'],
} as const satisfies Record<Language, readonly string[]>;

/** A CSV that spreadsheets open as text: with a byte order mark, and no cell starts a formula. */
export function csvOf(transactions: readonly Transaction[], timeZone: string, language: Language): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const rows = transactions.map((transaction) => {
    const at = new Date(transaction.createdAt);
    return [
      dayOf(at, timeZone),
      time.format(at),
      transaction.patientName,
      dollars(transaction.amount),
      dollars(transaction.refunded),
      transaction.requested ? 'REQUESTED' : transaction.state,
      [transaction.cardBrand, transaction.cardLast4].filter(Boolean).join(' '),
      transaction.chargeId,
      transaction.recording,
    ];
  });
  return `\uFEFF${[heads[language], ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

const dollars = (cents: number) => (cents / 100).toFixed(2);

/** A spreadsheet reads a cell that begins with one of these as a formula; an apostrophe before it makes it text. */
function cell(text: string): string {
  const safe = /^[\s]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
