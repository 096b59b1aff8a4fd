import type { Services } from '#server/context.ts';
import { CardRefused, type Card, type CardInvoice, type CardPrice, type InvoiceStatus } from './port.ts';
import { forChange, forLook, stripeCalls, type Pace } from './stripe-calls.ts';
import { saveCard } from './stripe-card.ts';
import {
  cancel,
  changeAtPeriodEnd,
  lastSubscription,
  reactivate,
  readSubscription,
  start,
  upgrade,
} from './stripe-changes.ts';
import { readStripeEvent } from './stripe-event.ts';
import { readInvoicePdf } from './stripe-pdf.ts';
import type { StripeSettings } from './stripe-settings.ts';
import {
  Customer,
  Invoice,
  Invoices,
  itemOf,
  CreatedObject,
  Preview,
  Price,
  toCardOnFile,
  toCardSubscription,
} from './stripe-shapes.ts';

const mostPrices = 1_000;
const invoiceStatuses: readonly InvoiceStatus[] = ['paid', 'open', 'void', 'uncollectible'];

/** Stripe. Tested against its published contracts, never against the live service. */
export function stripeCard(services: Pick<Services, 'now' | 'log'>, settings: StripeSettings, pace?: Pace): Card {
  const calls = stripeCalls(services, settings, pace);
  /** The amount and the product of a price never change. */
  const known = new Map<string, CardPrice>();

  async function readPrice(priceId: string): Promise<CardPrice | null> {
    const before = known.get(priceId);
    if (before) return before;
    const price = await orNull(() => calls.read(Price, (stripe) => stripe.prices.retrieve(priceId)));
    // Without an amount for one unit it is no price of ours.
    if (price?.unit_amount === null || price?.unit_amount === undefined) return null;
    const read = { priceId, productId: price.product, unitCents: price.unit_amount };
    if (known.size < mostPrices) known.set(priceId, read);
    return read;
  }

  return {
    name: 'stripe',
    cardPage: '/card/page',
    defaultPrices: settings.prices,

    async createCustomer({ operationId, officeId, name }) {
      const { id } = await forChange(calls, pace).change(operationId, CreatedObject, (stripe, options) =>
        stripe.customers.create({ name, metadata: { officeId } }, options),
      );
      return id;
    },

    async readCustomer(customerId) {
      const look = forLook(calls, pace);
      const customer = await orNull(() =>
        look.read(Customer, (stripe) =>
          stripe.customers.retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] }),
        ),
      );
      if (!customer || customer.deleted) return null;
      const subscription = await lastSubscription(look, customerId);
      return {
        customerId,
        officeId: customer.metadata?.officeId ?? null,
        card: toCardOnFile(customer),
        subscription: subscription ? toCardSubscription(subscription) : null,
      };
    },

    readPrices: (priceIds) => Promise.all(priceIds.map(readPrice)),
    start: (order) => start(forChange(calls, pace), order),
    upgrade: (order) => upgrade(forChange(calls, pace), order),
    changeAtPeriodEnd: (order) => changeAtPeriodEnd(forChange(calls, pace), order),
    cancel: (order) => cancel(forChange(calls, pace), order),
    reactivate: (order) => reactivate(forChange(calls, pace), order),

    async previewUpgrade({ subscriptionId, priceId: price, quantity }) {
      const subscription = await readSubscription(calls, subscriptionId);
      if (subscription.status === 'trialing') return { dueCents: 0, creditCents: 0, chargeCents: 0 };
      const { customer } = subscription;
      const preview = await calls.read(Preview, (stripe) =>
        stripe.invoices.createPreview({
          customer,
          subscription: subscriptionId,
          subscription_details: {
            items: [{ id: itemOf(subscription).id, price, quantity }],
            proration_behavior: 'always_invoice',
          },
        }),
      );
      const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
      const amounts = preview.lines.data.map(({ amount }) => amount);
      return {
        dueCents: preview.amount_due,
        creditCents: sum(amounts.filter((amount) => amount < 0)),
        chargeCents: sum(amounts.filter((amount) => amount > 0)),
      };
    },

    saveCard: (order) => saveCard(forChange(calls, pace), order),

    async listInvoices(customerId) {
      const { data } = await calls.read(Invoices, (stripe) =>
        stripe.invoices.list({ customer: customerId, limit: 100 }),
      );
      return data.flatMap((invoice): CardInvoice[] => {
        const status = invoiceStatuses.find((one) => one === invoice.status);
        // A draft is not an invoice yet.
        if (!status) return [];
        const { id, number, created, total } = invoice;
        return [{ invoiceId: id, number: number ?? id, at: new Date(created * 1000), status, totalCents: total }];
      });
    },

    async invoicePdf(customerId, invoiceId) {
      const invoice = await orNull(() => calls.read(Invoice, (stripe) => stripe.invoices.retrieve(invoiceId)));
      if (invoice?.customer !== customerId || !invoice.invoice_pdf) return null;
      return readInvoicePdf(invoice.invoice_pdf, settings.url, pace?.waitMs);
    },

    readCallback: (call) => readStripeEvent(settings.webhookSecret, call, services.now()),
  };
}

/** What Stripe does not have is null. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CardRefused && error.reason === 'not-found') return null;
    throw error;
  }
}
