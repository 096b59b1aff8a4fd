import type { PersonCtx } from '#server/context.ts';
import { userRecord } from '#server/features/office/index.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { changePerson, identitiesOf, officesOfPerson } from './sql.ts';

type UserRecord = Awaited<ReturnType<typeof userRecord>>;

/** Keeps what the caller says of themselves; their office is only checked, never taken from the call. */
export async function createUser(
  ctx: PersonCtx,
  given: {
    name?: string | undefined;
    relatedNpi?: string | null | undefined;
    dependents?: { name: string }[] | undefined;
  },
): Promise<UserRecord> {
  if (given.relatedNpi) await requireMembership(ctx, given.relatedNpi);
  const name = given.name?.trim().replace(/\s+/g, ' ');
  await changePerson(ctx.db, ctx.caller.personId, {
    ...(name && { name }),
    settings: given.dependents ? { dependents: given.dependents } : {},
  });
  return ownRecord(ctx, name);
}

/** The caller is a doctor of this office from now on. What they chose, and the practice as they wrote it, is kept with them. */
export async function convertToDoctor(
  ctx: PersonCtx,
  given: {
    npi: string;
    name?: string | null | undefined;
    address?: string | null | undefined;
    city?: string | null | undefined;
    state?: string | null | undefined;
    covidEnabled?: boolean | undefined;
    visible?: boolean | undefined;
    onboardingType?: 'regular' | 'chadis' | undefined;
  },
): Promise<UserRecord> {
  await requireMembership(ctx, given.npi);
  const { covidEnabled, visible, ...doctorOf } = given;
  await changePerson(ctx.db, ctx.caller.personId, {
    settings: {
      doctorOf,
      ...(visible !== undefined && { visible }),
      ...(covidEnabled !== undefined && { covidEnabled }),
    },
  });
  return ownRecord(ctx);
}

/** The caller's record by their own email address; every other address is as unknown as one nobody has. */
export async function userByEmail(ctx: PersonCtx, email: string): Promise<UserRecord> {
  const asked = email.trim().toLowerCase();
  const mine = await identitiesOf(ctx.db, ctx.caller.personId);
  if (!mine.some(({ kind, value }) => kind === 'email' && value === asked)) throw new Refusal('not_found');
  return userRecord(ctx, asked);
}

async function requireMembership(ctx: PersonCtx, npi: string): Promise<void> {
  const mine = await ctx.db.transaction().execute((tx) => officesOfPerson(tx, ctx.caller.personId));
  if (!mine.some((office) => office.npi === npi)) throw new Refusal('office_not_found');
}

async function ownRecord(ctx: PersonCtx, name?: string): Promise<UserRecord> {
  const [first] = await identitiesOf(ctx.db, ctx.caller.personId);
  if (!first) throw new Refusal('not_found');
  return userRecord(name ? { ...ctx, caller: { ...ctx.caller, personName: name } } : ctx, first.value);
}
