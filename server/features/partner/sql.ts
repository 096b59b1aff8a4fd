import type { PartnerDetails } from '#contract/partner.ts';
import { identitiesOf } from '#server/identities.ts';
import { enterOffice, type Db, type Tx } from '#server/kit/db/db.ts';
import { officesInTransaction } from '#server/kit/db/office-directory.ts';

/** The saved parts of the partner's brand; empty if there are none. */
export async function savedBrand(db: Db): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom('globalSetting')
    .select('value')
    .where('name', '=', 'partnerBrand')
    .executeTakeFirst();
  const value = row?.value;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export async function saveBrand(db: Db, brand: Record<string, unknown>): Promise<void> {
  const value = JSON.stringify(brand);
  await db
    .insertInto('globalSetting')
    .values({ name: 'partnerBrand', value })
    .onConflict((known) => known.column('name').doUpdateSet({ value }))
    .execute();
}

/** Saves an application; a later one for the same email replaces it. */
export async function upsertApplication(
  db: Db,
  { partner, email, details, at }: { partner: string; email: string; details: PartnerDetails; at: Date },
): Promise<void> {
  const values = { details: JSON.stringify(details), updatedAt: at };
  await db
    .insertInto('partnerApplication')
    .values({ partner, email, ...values })
    .onConflict((known) => known.columns(['partner', 'email']).doUpdateSet(values))
    .execute();
}

/** Deletes the applications under any email of this person. */
export async function forgetApplicationsOf(tx: Tx, partner: string, personId: string): Promise<void> {
  await tx
    .deleteFrom('partnerApplication')
    .where('partner', '=', partner)
    .where('email', 'in', (of) => of.selectFrom('auth.identity').select('value').where('personId', '=', personId))
    .execute();
}

/** The address a person signed in with first; null when they have none. */
export async function ownEmail(db: Db, personId: string): Promise<string | null> {
  return (await identitiesOf(db, personId)).find(({ kind }) => kind === 'email')?.value ?? null;
}

/** The newest application under a verified email of this person. */
export async function newestApplication(db: Db, partner: string, personId: string): Promise<PartnerDetails | null> {
  const row = await db
    .selectFrom('partnerApplication as a')
    .innerJoin('auth.identity as i', 'i.value', 'a.email')
    .select('a.details')
    .where('a.partner', '=', partner)
    .where('i.personId', '=', personId)
    .orderBy('a.updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.details ?? null) as PartnerDetails | null;
}

export async function forgetApplicationsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('partnerApplication').where('updatedAt', '<', before).execute();
}

/** The person's offices: how they registered and whether their agreement is signed. */
export async function partnerStatesOfOffices(
  tx: Tx,
  personId: string,
): Promise<{ onboardingType: string; isSigned: boolean }[]> {
  const offices: { onboardingType: string; isSigned: boolean }[] = [];
  for (const { id } of await officesInTransaction(tx, personId)) {
    await enterOffice(tx, id);
    const office = await tx
      .selectFrom('office')
      .select(['onboardingType', 'agreementSignedAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    offices.push({ onboardingType: office.onboardingType, isSigned: office.agreementSignedAt !== null });
  }
  return offices;
}
