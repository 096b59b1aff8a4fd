import { CardRefused } from './port.ts';

const largestPdf = 10_000_000;

/**
 * Fetches an invoice from the address that Stripe gives for it. The address itself opens the invoice for everybody who has it, so it stays
 * here. Only Stripe's own hosts are asked, and the configured one.
 */
export async function readInvoicePdf(address: string, apiUrl: string, waitMs = 20_000): Promise<Buffer> {
  const url = URL.parse(address);
  const isTheirs = url?.protocol === 'https:' && /(^|\.)stripe\.com$/.test(url.hostname);
  if (!url || !(isTheirs || url.origin === new URL(apiUrl).origin)) throw new CardRefused('other');
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(waitMs) });
    const pdf = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok || pdf.length > largestPdf || !pdf.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error();
    return pdf;
  } catch {
    throw new CardRefused('unreachable');
  }
}
