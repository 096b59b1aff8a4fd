import { CardRefused, type Card } from './port.ts';
import type { StripeCalls } from './stripe-calls.ts';
import { Invoices, Made, SetupIntent } from './stripe-shapes.ts';

const mostOpen = 10;

/**
 * The card of a token from Stripe's form becomes the one that is charged. It is set up for charges while nobody is there, which the bank may
 * refuse or want the cardholder for: then the card before it stays. What is due is paid with it; a bank that refuses that leaves it due.
 */
export async function saveCard(calls: StripeCalls, order: Parameters<Card['saveCard']>[0]): Promise<void> {
  const { operationId, customerId: customer, token, name } = order;
  const method = await calls.change(`${operationId}.method`, Made, (stripe, options) =>
    stripe.paymentMethods.create({ type: 'card', card: { token }, billing_details: { name } }, options),
  );
  const intent = await calls.change(`${operationId}.setup`, SetupIntent, (stripe, options) =>
    stripe.setupIntents.create(
      {
        customer,
        payment_method: method.id,
        usage: 'off_session',
        confirm: true,
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      },
      options,
    ),
  );
  if (intent.status !== 'succeeded') throw new CardRefused('declined');
  await calls.change(operationId, Made, (stripe, options) =>
    stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } }, options),
  );
  const { data: open } = await calls.read(Invoices, (stripe) =>
    stripe.invoices.list({ customer, status: 'open', limit: mostOpen }),
  );
  for (const { id } of open) await payWith(calls, operationId, id);
}

async function payWith(calls: StripeCalls, operationId: string, invoiceId: string): Promise<void> {
  try {
    await calls.change(`${operationId}.${invoiceId}`, Made, (stripe, options) =>
      stripe.invoices.pay(invoiceId, { off_session: true }, options),
    );
  } catch (error) {
    // `invalid`: it was paid or voided meanwhile.
    if (!(error instanceof CardRefused) || !['declined', 'invalid'].includes(error.reason)) throw error;
  }
}
