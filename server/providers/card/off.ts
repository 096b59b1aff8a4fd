import { CardRefused, CardSignatureInvalid, type Card } from './port.ts';

/**
 * No card provider: in production nobody may say that a plan is paid. A practice registers all the same; its customer id here is of no use
 * to a provider that is set up later, which then makes it a customer anew.
 */
export function noCard(): Card {
  const refuse = () => Promise.reject(new CardRefused('other'));
  return {
    name: 'off',
    cardPage: null,
    defaultPrices: null,
    createCustomer: ({ officeId }) => Promise.resolve(`cus_off_${officeId.replaceAll('-', '')}`),
    readCustomer: () => Promise.resolve(null),
    readPrices: (priceIds) => Promise.resolve(priceIds.map(() => null)),
    start: refuse,
    upgrade: refuse,
    changeAtPeriodEnd: refuse,
    cancel: refuse,
    reactivate: refuse,
    previewUpgrade: refuse,
    saveCard: refuse,
    listInvoices: () => Promise.resolve([]),
    invoicePdf: () => Promise.resolve(null),
    readCallback: () => {
      throw new CardSignatureInvalid();
    },
  };
}
