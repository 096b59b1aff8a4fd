import { CardRefused } from './port.ts';
import { goOn, type StripeCalls } from './stripe-calls.ts';
import { Invoices, CreatedObject } from './stripe-shapes.ts';

const mostOpen = 10;

/** Only of this subscription: a customer may also owe for one that was canceled, and that is not ours to collect. */
async function openInvoices(calls: StripeCalls, subscription: string) {
  const { data } = await calls.read(Invoices, (stripe) =>
    stripe.invoices.list({ subscription, status: 'open', limit: mostOpen }),
  );
  return data;
}

/** Pays what is due for a subscription. A bank that refuses that leaves it due. */
export async function payOpenInvoices(calls: StripeCalls, operationId: string, subscriptionId: string): Promise<void> {
  for (const { id } of await openInvoices(calls, subscriptionId))
    await unlessRefused(['declined', 'invalid'], () =>
      calls.change(`${operationId}.${id}`, CreatedObject, (stripe, options) =>
        stripe.invoices.pay(id, { off_session: true }, options),
      ),
    );
}

/** Ends the invoice of a change that was declined: the change would be made whenever the invoice is paid, also days later. */
export async function endDeclinedInvoice(
  calls: StripeCalls,
  operationId: string,
  invoice: string | null | undefined,
): Promise<void> {
  if (!invoice) return;
  await goOn(() =>
    calls.change(`${operationId}.void`, CreatedObject, (stripe, options) =>
      stripe.invoices.voidInvoice(invoice, {}, options),
    ),
  );
}

/** Ends what is due for a canceled subscription: nothing was given for a first charge, and what was owed later is written off. */
export async function endOpenInvoices(calls: StripeCalls, operationId: string, subscriptionId: string): Promise<void> {
  for (const { id, billing_reason: reason } of await openInvoices(calls, subscriptionId))
    await unlessRefused(['invalid'], () =>
      calls.change(`${operationId}.${id}`, CreatedObject, (stripe, options) =>
        reason === 'subscription_create'
          ? stripe.invoices.voidInvoice(id, {}, options)
          : stripe.invoices.markUncollectible(id, {}, options),
      ),
    );
}

/** `invalid`: it was paid or voided meanwhile. */
async function unlessRefused(reasons: readonly string[], change: () => Promise<unknown>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof CardRefused) || !reasons.includes(error.reason)) throw error;
  }
}
