import type { OfficeFront } from '#contract/patient/check-in.ts';
import { addressLine } from '#contract/practice/address-line.ts';
import type { AnyoneCtx, OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { officeIdByNpi } from '#server/kit/db/office-directory.ts';
import { checkInNumber, officeRow } from '#server/office-row.ts';
import { openNow } from '#server/opening-hours.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

/** The patient's scope in the office that has, or had, this NPI. */
export async function officeOfNpi(ctx: AnyoneCtx, npi: string): Promise<OfficeScope> {
  if (!/^\d{10}$/.test(npi)) throw new Refusal('office_not_found');
  const officeId = await officeIdByNpi(ctx.pool, npi);
  if (!officeId) throw new Refusal('office_not_found');
  return ctx.inOffice(officeId, { kind: 'patient', id: null, name: null });
}

/** What a phone may know of the office before anybody checks in. */
export async function officeFrontOf(tx: Tx, scope: OfficeScope): Promise<OfficeFront> {
  const office = await officeRow(tx, scope.officeId);
  if (office.agreementSignedAt === null) throw new Refusal('office_not_found');
  const now = scope.now();
  const open = openNow(office.queueSettings, office.timeZone, now);
  return {
    npi: checkInNumber(office),
    officeName: office.name,
    address: addressLine(office),
    officePhone: office.phone,
    agesTreated: office.agesTreated,
    greeting: office.queueSettings.greeting,
    timeZone: office.timeZone,
    confirmed: office.confirmedAt !== null,
    isOpen: open.isOpen,
    hoursToday: open.hoursToday,
    nextOpening: open.nextOpening?.toISOString() ?? null,
    now: now.toISOString(),
  };
}
