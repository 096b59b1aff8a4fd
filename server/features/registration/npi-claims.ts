import type { Services, PersonCtx } from '#server/context.ts';
import { findNpiHolder } from '#server/features/office/index.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { addClaim, requestOfficeEmail } from './npi-claim-sql.ts';
import { officesOfPerson } from './sql.ts';

/** Somebody tried to register with the NPI of another person's office. */
export class NpiClaimed extends Refusal {
  readonly npi: string;
  readonly officeId: string;
  constructor(npi: string, officeId: string) {
    super('npi_claimed', { npi });
    this.npi = npi;
    this.officeId = officeId;
  }
}

/** Keeps who came with whose NPI; the operator is mailed by the job, once for each person and office. */
export async function saveClaim(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { personId }: { personId: string },
  { npi, officeId }: Pick<NpiClaimed, 'npi' | 'officeId'>,
): Promise<void> {
  await addClaim(db, { personId, officeId, npi, claimedAt: now() });
}

const perPerson = { name: 'ask-to-join', points: 5, seconds: 86_400 };

/** Requests access to an office. The job emails its staff; another request within a day sends no second email. */
export async function askToJoin(ctx: PersonCtx, npi: string): Promise<{ asked: boolean }> {
  const { personId } = ctx.caller;
  const { officeId, isTheirs } = await ctx.db.transaction().execute(async (tx) => {
    const holder = await findNpiHolder(tx, npi.trim());
    return { officeId: holder, isTheirs: (await officesOfPerson(tx, personId)).some(({ id }) => id === holder) };
  });
  if (!officeId) throw new Refusal('office_not_found');
  if (isTheirs) return { asked: false };
  await ctx.limits.take(perPerson, personId);
  await saveClaim(ctx, { personId }, { npi: npi.trim(), officeId });
  await requestOfficeEmail(ctx.db, { personId, officeId, at: ctx.now() });
  return { asked: true };
}
