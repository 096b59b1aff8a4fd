import { UsageError, type CommandArguments, type Command, type CommandContext } from '#server/kit/command.ts';
import { stepper } from './smoke-steps.ts';

/** Small real calls to the providers of money. None of them charges anybody. */
export const smokeMoneyCommands: readonly Command[] = [
  {
    name: 'smoke card',
    takes: '[--live]',
    says: 'Makes a customer at the card provider, twice with one key, and reads it, its invoices and the prices. Only with test keys, unless --live',
    switches: ['live'],
    run: smokeCard,
  },
  {
    name: 'smoke merchant',
    takes: '[--live]',
    says: 'Asks the payment provider for an application form and its link, reads it, and looks for a transfer. Only in the sandbox, unless --live',
    switches: ['live'],
    run: smokeMerchant,
  },
  {
    name: 'smoke practice-software',
    takes: 'PRACTICE-NUMBER',
    says: "Signs in to the practice software and lists a practice's payment methods for cards. Records nothing",
    run: smokePracticeSoftware,
  },
];

const plainWord = (text: string) => text.replace(/[^\w.-]/g, '').slice(0, 60);

async function smokeCard({ services, say }: CommandContext, { switches }: CommandArguments): Promise<number | void> {
  const { card } = services.providers;
  if (services.env.stripe?.secretKey.includes('_live_') && !switches.has('live'))
    throw new UsageError('This would make a customer in the live account. Give test keys, or say --live.');
  const step = stepper(say);
  say(`provider      ${card.name}`);
  const operationId = services.id();
  const order = { operationId, officeId: services.id(), name: 'A test of cards' };
  const customerId = await step('make', () => card.createCustomer(order), plainWord);
  const again = await step('make again', () => card.createCustomer(order), plainWord);
  await step(
    'read',
    () => card.readCustomer(customerId),
    (customer) => (customer?.officeId === order.officeId ? 'found' : 'NOT FOUND'),
  );
  await step(
    'invoices',
    () => card.listInvoices(customerId),
    ({ length }) => String(length),
  );
  const ids = Object.values(card.defaultPrices ?? {});
  await step(
    'prices',
    () => card.readPrices(ids),
    (prices) =>
      prices.map((price) => (price ? `$${(price.unitCents / 100).toFixed(2)}` : 'NOT FOUND')).join(' ') || 'none set',
  );
  if (again === customerId) return;
  say('The same key made two customers: the provider does not keep keys.');
  return 1;
}

async function smokeMerchant({ services, say }: CommandContext, { switches }: CommandArguments): Promise<void> {
  const { env } = services;
  const { merchant, charges } = services.providers;
  if (env.finix && !/sandbox|127\.0\.0\.1|localhost/.test(env.finix.url) && !switches.has('live'))
    throw new UsageError('This would make an application in the live account. Give the sandbox, or say --live.');
  const step = stepper(say);
  say(`provider      ${merchant.name}`);
  const reference = `smoke.${services.id()}`;
  const createdAt = services.now();
  const links = {
    returnUrl: `${env.publicUrl}/finix-forms`,
    expiredUrl: `${env.publicUrl}/finix-forms?expired=true`,
    termsUrl: `${env.publicUrl}/document?file=terms.pdf`,
  };
  const { formId } = await step(
    'form',
    () =>
      merchant.createForm({
        operationId: services.id(),
        reference,
        language: 'en',
        prefill: { npi: '1234567893', address: null, details: null },
        links,
      }),
    (made) => plainWord(made.formId),
  );
  await step(
    'link',
    () => merchant.createLink(formId, { language: 'en', links }),
    ({ expiresAt }) => `until ${expiresAt.toISOString()}`,
  );
  await step(
    'read',
    () => merchant.readForm(formId, { reference, createdAt, identityId: null, merchantId: null }),
    ({ state, reference: known }) => (known === reference ? state : `${state}, WITHOUT OUR REFERENCE`),
  );
  say(`charges       ${charges.name}`);
  await step(
    'transfer',
    () => charges.find(reference),
    (found) => (found === null ? 'none, as it should be' : 'ANOTHER ONE'),
  );
}

async function smokePracticeSoftware({ services, say }: CommandContext, { operands }: CommandArguments): Promise<void> {
  const [practiceNumber = ''] = operands;
  if (!/^[1-9]\d{0,14}$/.test(practiceNumber) || operands.length > 1)
    throw new UsageError("Give the practice's number.");
  const { practiceSoftware } = services.providers;
  say(`provider      ${practiceSoftware.name}`);
  await stepper(say)(
    'card methods',
    () => practiceSoftware.cardMethods(practiceNumber),
    (methods) => methods.join(', ') || 'none',
  );
}
