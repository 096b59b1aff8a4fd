import type { PersonCtx } from '#server/context.ts';
import { haveCustomer } from '#server/features/membership/index.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officesOfPerson } from './sql.ts';

/** Registers the caller's office as a customer of the card provider, once. */
export async function registerCustomer(ctx: PersonCtx, formId: string, strapiId: string) {
  const { personId, personName } = ctx.caller;
  const mine = await ctx.db.transaction().execute((tx) => officesOfPerson(tx, personId));
  const office = mine.find(({ id }) => id === strapiId);
  if (!office) throw new Refusal('office_not_found');
  const customerId = await haveCustomer(ctx.inOffice(office.id, { kind: 'staff', id: personId, name: personName }));
  return { formId, strapiId: office.id, addressId: office.addressId, customerId, errorList: [] };
}
