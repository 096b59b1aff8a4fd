import type { PersonCtx } from '#server/context.ts';
import { enterOffice } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { customerOf, lockByName, officesOfPerson, setCustomer } from './sql.ts';

/** Registers the caller's office as a customer of the card provider, once. */
export async function registerCustomer(ctx: PersonCtx, formId: string, strapiId: string) {
  const { personId } = ctx.caller;
  return ctx.db.transaction().execute(async (tx) => {
    const mine = await officesOfPerson(tx, personId);
    const office = mine.find(({ id }) => id === strapiId);
    if (!office) throw new Refusal('office_not_found');
    await lockByName(tx, `customer ${office.id}`);
    await enterOffice(tx, office.id);
    const existing = await customerOf(tx, office.id);
    const customerId =
      existing ?? (await ctx.providers.card.createCustomer({ officeId: office.id, name: office.name }));
    if (!existing) await setCustomer(tx, office.id, customerId);
    return { formId, strapiId: office.id, addressId: office.addressId, customerId, errorList: [] };
  });
}
