import { CardRefused, type Card } from './port.ts';
import { goOn, type StripeCalls } from './stripe-calls.ts';
import { lastSubscription } from './stripe-changes.ts';
import { payOpenInvoices } from './stripe-invoices.ts';
import { isOver, CreatedObject, SetupIntent } from './stripe-shapes.ts';

/**
 * The card of a token from Stripe's form becomes the one that is charged. It is set up for charges while nobody is there, which the bank may
 * refuse or want the cardholder for: then the card before it stays. What is due for the running plan
 * is paid with it.
 */
export async function saveCard(calls: StripeCalls, order: Parameters<Card['saveCard']>[0]): Promise<void> {
  const { operationId, customerId: customer, token, name } = order;
  const method = await calls.change(`${operationId}.method`, CreatedObject, (stripe, options) =>
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
  await calls.change(operationId, CreatedObject, (stripe, options) =>
    stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } }, options),
  );
  await goOn(async () => {
    const subscription = await lastSubscription(calls, customer);
    if (subscription && !isOver(subscription)) await payOpenInvoices(calls, operationId, subscription.id);
  });
}
