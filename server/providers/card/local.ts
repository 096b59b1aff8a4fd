import type { Services } from '#server/context.ts';
import { cancel, changeAtPeriodEnd, reactivate, saveCard, start, upgrade, withAccount } from './local-accounts.ts';
import { readCardCallback } from './local-callbacks.ts';
import { upgradeLines, totalOf, type LocalSubscription } from './local-engine.ts';
import { localPrices, productOf, readLocalPrice, unitCentsOf } from './local-prices.ts';
import { customerIdOfSubscription, insertCustomer, invoiceById, invoicesOf, paymentMethodById } from './local-sql.ts';
import { CardRefused, type Card, type CardSubscription } from './port.ts';

/**
 * The local card provider: keeps customers, cards, subscriptions and invoices as a vendor would, outside every office. What happens with
 * time is in local-engine.ts; the page where a card is entered is local-routes.ts. It charges nobody.
 */
export function localCard(services: Pick<Services, 'db' | 'env' | 'id' | 'now'>): Card {
  return {
    name: 'local',
    cardPage: '/card/page',
    defaultPrices: localPrices,
    async createCustomer({ operationId, officeId, name }) {
      const id = `cus_local_${operationId.replaceAll('-', '')}`;
      await insertCustomer(services.db, { id, operationId, reference: officeId, name, createdAt: services.now() });
      return id;
    },
    async readCustomer(customerId) {
      try {
        return await withAccount(services, customerId, async (tx, { customer, subscription }) => {
          const method = customer.paymentMethodId ? await paymentMethodById(tx, customer.paymentMethodId) : undefined;
          return {
            customerId,
            officeId: customer.reference,
            card: method ?? null,
            subscription: subscription && toCardSubscription(customerId, subscription),
          };
        });
      } catch (error) {
        if (error instanceof CardRefused && error.reason === 'not-found') return null;
        throw error;
      }
    },
    readPrices: async (priceIds) => priceIds.map(readLocalPrice),
    start: (order) => start(services, order),
    upgrade: (order) => upgrade(services, order),
    changeAtPeriodEnd: (order) => changeAtPeriodEnd(services, order),
    cancel: (order) => cancel(services, order),
    reactivate: (order) => reactivate(services, order),
    async previewUpgrade({ subscriptionId, ...plan }) {
      const customerId = await customerIdOfSubscription(services.db, subscriptionId);
      return withAccount(services, customerId ?? '', async (_tx, { subscription }) => {
        if (subscription?.id !== subscriptionId || !readLocalPrice(plan.priceId)) throw new CardRefused('invalid');
        if (subscription.status === 'trialing') return { dueCents: 0, creditCents: 0, chargeCents: 0 };
        const lines = upgradeLines(subscription, plan, services.now());
        return { dueCents: totalOf(lines), creditCents: lines[0]?.cents ?? 0, chargeCents: lines[1]?.cents ?? 0 };
      });
    },
    saveCard: (order) => saveCard(services, order),
    listInvoices: (customerId) => withAccount(services, customerId, (tx) => invoicesOf(tx, customerId)),
    async invoicePdf(customerId, invoiceId, timeZone) {
      const invoice = await invoiceById(services.db, customerId, invoiceId);
      if (!invoice) return null;
      const { localInvoicePdf } = await import('./local-invoice-pdf.ts');
      return localInvoicePdf(invoice, services.env.productName, timeZone);
    },
    readCallback: (call) => readCardCallback(services, call),
  };
}

function toCardSubscription(customerId: string, subscription: LocalSubscription): CardSubscription {
  const { id, status, priceId, quantity, trialEnd, periodEnd, cancelAtPeriodEnd, next, endedAt } = subscription;
  return {
    subscriptionId: id,
    customerId,
    status,
    priceId,
    quantity,
    productId: productOf(priceId),
    unitCents: unitCentsOf(priceId),
    trialEnd,
    periodEnd,
    cancelAtPeriodEnd,
    cancelAt: cancelAtPeriodEnd ? (endedAt ?? periodEnd) : endedAt,
    next,
  };
}
