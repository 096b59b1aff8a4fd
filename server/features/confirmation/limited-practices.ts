import { addressLine } from '#contract/practice/address-line.ts';
import type { Services } from '#server/context.ts';
import { readAddress } from '#server/features/addresses/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { officeRow } from '#server/office-row.ts';
import { limitedOfficeIds, staffIdentities } from './sql.ts';

/** What the operator sees before confirming a practice. */
export interface LimitedPractice {
  id: string;
  npi: string;
  npiProvisional: boolean;
  name: string;
  address: string;
  createdAt: Date;
  isSigned: boolean;
  /** The email addresses and numbers of its staff. */
  registeredBy: string;
  /** What the practice entered as its referral code. */
  refCode: string | null;
  /** The name and address in NPPES; null if the NPI is not listed. */
  listedAs: string | null;
}

/** Every limited practice, the oldest first. */
export async function limitedPractices(services: Services): Promise<LimitedPractice[]> {
  const practices: LimitedPractice[] = [];
  for (const id of await limitedOfficeIds(services.pool)) practices.push(await limitedPractice(services, id));
  return practices;
}

export async function limitedPractice(services: Services, officeId: string): Promise<LimitedPractice> {
  const scope = officeScope(services, officeId, { kind: 'operator', id: null, name: null }, 'operator');
  const { office, staff } = await scope.transaction(async (tx) => ({
    office: await officeRow(tx, officeId),
    staff: await staffIdentities(tx, officeId),
  }));
  const listed = await readAddress(services, office.npi);
  return {
    id: officeId,
    npi: office.npi,
    npiProvisional: office.npiProvisional,
    name: office.name,
    address: addressLine(office),
    createdAt: office.createdAt,
    isSigned: office.agreementSignedAt !== null,
    registeredBy: staff.join(', '),
    refCode: office.refCode,
    listedAs: listed && `${listed.name}, ${addressLine(listed)}`,
  };
}
