import type { PersonCtx } from '#server/context.ts';
import { userRecord } from '#server/features/office/index.ts';
import { identitiesOf } from '#server/identities.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { officesOf } from '#server/kit/db/office-directory.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { hasNpi } from '#server/own-office-name.ts';
import { changePerson } from './sql.ts';

type OwnAccount = Awaited<ReturnType<typeof userRecord>>;

/** Saves the caller's name and dependents. The office in the call is only checked. */
export async function createUser(
  ctx: PersonCtx,
  input: {
    name?: string | undefined;
    relatedNpi?: string | null | undefined;
    dependents?: { name: string }[] | undefined;
  },
): Promise<OwnAccount> {
  if (input.relatedNpi) await requireMembership(ctx, input.relatedNpi);
  const name = input.name?.trim().replace(/\s+/g, ' ');
  await changePerson(ctx.db, ctx.caller.personId, {
    ...(name && { name }),
    settings: input.dependents ? { dependents: input.dependents } : {},
  });
  return ownAccount(ctx, name);
}

/** Saves that the caller is a doctor of this office, with their choices and the practice details they entered. */
export async function convertToDoctor(
  ctx: PersonCtx,
  input: {
    npi: string;
    name?: string | null | undefined;
    address?: string | null | undefined;
    city?: string | null | undefined;
    state?: string | null | undefined;
    covidEnabled?: boolean | undefined;
    visible?: boolean | undefined;
    onboardingType?: 'regular' | 'chadis' | undefined;
  },
): Promise<OwnAccount> {
  await requireMembership(ctx, input.npi);
  const { covidEnabled, visible, ...doctorOf } = input;
  await changePerson(ctx.db, ctx.caller.personId, {
    settings: {
      doctorOf,
      ...(visible !== undefined && { visible }),
      ...(covidEnabled !== undefined && { covidEnabled }),
    },
  });
  return ownAccount(ctx);
}

/** The caller's account by their own email address; any other address is `not_found`. */
export async function userByEmail(ctx: PersonCtx, email: string): Promise<OwnAccount> {
  const normalized = email.trim().toLowerCase();
  const mine = await identitiesOf(ctx.db, ctx.caller.personId);
  if (!mine.some(({ kind, value }) => kind === 'email' && value === normalized)) throw new Refusal('not_found');
  return userRecord(ctx, normalized);
}

async function requireMembership(ctx: PersonCtx, npi: string): Promise<void> {
  for (const office of await officesOf(ctx.db, ctx.caller.personId))
    if (office.npi === npi || (await asOffice(ctx.db, office.id, (tx) => hasNpi(tx, office.id, npi)))) return;
  throw new Refusal('office_not_found');
}

async function ownAccount(ctx: PersonCtx, name?: string): Promise<OwnAccount> {
  const [first] = await identitiesOf(ctx.db, ctx.caller.personId);
  if (!first) throw new Refusal('not_found');
  return userRecord(name ? { ...ctx, caller: { ...ctx.caller, personName: name } } : ctx, first.value);
}
