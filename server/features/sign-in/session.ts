import { flagsOf, type Settings } from '#contract/flags.ts';
import { isAmbulatory, isSmsModeOf } from '#contract/panel-mode.ts';
import { gate } from '#contract/sign-in/gate.ts';
import type { Session } from '#contract/sign-in/session.ts';
import { addressLine } from '#contract/practice/address-line.ts';
import type { AnyoneCtx, Caller, Services, PersonCtx } from '#server/context.ts';
import { cardPayments } from '#server/features/merchant/index.ts';
import { openInvitationsTo } from '#server/features/team/index.ts';
import { flagLayersOf } from '#server/features/office/index.ts';
import { identitiesOf } from '#server/identities.ts';
import { locksAt } from '#server/session-lock.ts';
import { sessionCookie } from '#server/kit/http/request-context.ts';
import { dayOf } from '#server/kit/day.ts';
import { asOffice, type Db } from '#server/kit/db/db.ts';
import { officesOf } from '#server/kit/db/office-directory.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { auditInOffice } from './audit-in-offices.ts';
import { sessionHasPin } from './device-sql.ts';
import { countWaiting, officeFacts } from './office-sql.ts';
import { findPerson, savePerson, hasPasskey } from './person-sql.ts';
import { endSession, setLocked, touchSession } from './session-sql.ts';

/** Describes the session for the panel and its gate. Never refuses: without a caller it describes a signed-out session. */
export async function describeSession(
  services: Pick<Services, 'db' | 'now' | 'providers'>,
  caller: Caller | null,
): Promise<Session> {
  const now = services.now().toISOString();
  if (!caller) return { ...signedOutSession, now };
  const { db } = services;
  const { office: active } = caller;
  const person = await findPerson(db, caller.personId);
  // A locked screen must not show the person's email or number to others.
  const identities = caller.locked ? [] : await identitiesOf(db, caller.personId);
  const offices = await officesOf(db, caller.personId);
  const office = active && (await asOffice(db, active.id, (tx) => officeFacts(tx, active.id)));
  const payments = office && (await asOffice(db, office.id, (tx) => cardPayments(tx, office)));
  const layers = await flagLayersOf(services, caller);
  const flags = flagsOf(layers);
  const settings = (office?.settings ?? {}) as Settings;
  const authenticatorMissing = active?.authenticatorMissing === true;
  return {
    person: {
      id: person.id,
      name: person.name,
      email: identities.find(({ kind }) => kind === 'email')?.value ?? null,
      phone: identities.find(({ kind }) => kind === 'phone')?.value ?? null,
      language: person.language,
      preferences: person.preferences,
    },
    offices: offices.map(({ id, npi, name, agreementSignedAt }) => ({
      id,
      npi,
      officeName: name,
      hellosignComplete: agreementSignedAt !== null,
    })),
    office: office && {
      id: office.id,
      npi: office.npi,
      officeName: office.name,
      address: addressLine(office),
      timeZone: office.timeZone,
      hellosignComplete: office.agreementSignedAt !== null,
      emr: office.emr,
      paymentIdentity: office.finixIdentity !== null,
      hasTransactions: office.finixIdentity !== null || office.hasPayments === true,
      chatEnabled: settings.chatEnabled === true,
      appointmentsEnabled: settings.appointmentsEnabled === true,
      cardPayments: payments?.cardPayments ?? 'none',
      cardPaymentsDecidedAt: payments?.decidedAt ?? null,
      confirmed: office.confirmedAt !== null,
      authenticatorMissing,
      firstSteps: office.firstStepsShown,
    },
    invitations: await openInvitationsTo(
      services,
      identities.map(({ value }) => value),
    ),
    flags,
    gate: gate({
      signedIn: true,
      locked: caller.locked,
      memberOf: offices.length,
      office: office && {
        hellosignComplete: office.agreementSignedAt !== null,
        authenticatorMissing,
        paymentsQuestionCompleted: office.paymentsQuestionCompleted,
        emr: office.emr,
        onboardingType: office.onboardingType,
        smsMode: isSmsModeOf(layers),
        ambulatory: isAmbulatory(settings) || isAmbulatory(layers.visibleDoctor),
      },
      disableCheckin: flags.disableCheckin === true,
      paymentsOffered: services.providers.merchant.name !== 'off',
    }),
    unlockBy: caller.locked ? await unlockWays(db, caller, person.authenticatorAt !== null) : [],
    waiting: office && mayCount(caller) ? await waitingIn(services, office) : null,
    expiresAt: caller.expiresAt.toISOString(),
    tokenExpiresAt: caller.tokenExpiresAt.toISOString(),
    locksAt: locksAt(caller, caller.lockMinutes)?.toISOString() ?? null,
    now,
  };
}

/** A locked screen shows a number and no names. Before the second step of signing in nobody is known well enough for that. */
const mayCount = ({ locked, secondStepDue }: Caller) => locked && !secondStepDue;

function waitingIn({ db, now }: Pick<Services, 'db' | 'now'>, office: { id: string; timeZone: string }) {
  return asOffice(db, office.id, (tx) => countWaiting(tx, office.id, dayOf(now(), office.timeZone)));
}

const signedOutSession = {
  person: null,
  offices: [],
  office: null,
  invitations: [],
  flags: {},
  gate: gate({
    signedIn: false,
    locked: false,
    memberOf: 0,
    office: null,
    disableCheckin: false,
    paymentsOffered: false,
  }),
  unlockBy: [],
  waiting: null,
  expiresAt: null,
  tokenExpiresAt: null,
  locksAt: null,
};

async function unlockWays(db: Db, caller: Caller, hasAuthenticator: boolean): Promise<Session['unlockBy']> {
  return [
    ...(!caller.secondStepDue && (await sessionHasPin(db, caller.sessionId)) ? (['pin'] as const) : []),
    ...((await hasPasskey(db, caller.personId)) ? (['passkey'] as const) : []),
    ...(hasAuthenticator ? (['authenticator'] as const) : []),
    ...(caller.secondStepDue ? [] : (['code'] as const)),
  ];
}

/** Saves the person's preferences, including their language. */
export async function savePreferences(
  ctx: PersonCtx,
  { language, ...preferences }: Record<string, unknown> & { language?: 'en' | 'es' | undefined },
): Promise<Session> {
  await savePerson(ctx.db, ctx.caller.personId, { language, preferences });
  return describeSession(ctx, ctx.caller);
}

/** Reports input in the panel: restarts the idle time. */
export async function stayActive(ctx: PersonCtx, secondsAgo = 0): Promise<{ locksAt: string | null }> {
  const touchedAt = new Date(ctx.now().getTime() - secondsAgo * 1000);
  const activeAt = await touchSession(ctx.db, ctx.caller.sessionId, touchedAt);
  if (!activeAt) throw new Refusal('session_locked');
  const { kind, lockMinutes } = ctx.caller;
  return { locksAt: locksAt({ kind, activeAt }, lockMinutes)?.toISOString() ?? null };
}

/** Locks the session at once, for a person who leaves the desk. */
export async function lockSession(ctx: PersonCtx): Promise<{ locked: boolean }> {
  await ctx.db.transaction().execute(async (tx) => {
    await setLocked(tx, ctx.caller.sessionId, ctx.now());
    await auditInOffice(tx, ctx, ctx.caller, 'session.lock');
  });
  return { locked: true };
}

/** Ends this session at once, for HTTP and sockets. */
export async function signOut(ctx: AnyoneCtx): Promise<{ signedOut: boolean }> {
  const { caller } = ctx;
  ctx.http.clearCookie(sessionCookie);
  if (!caller) return { signedOut: false };
  const signedOut = await ctx.db.transaction().execute(async (tx) => {
    if (!(await endSession(tx, caller.sessionId, ctx.now()))) return false;
    await auditInOffice(tx, ctx, caller, 'session.end');
    await sendHint(tx, { type: 'session', session: caller.sessionId });
    return true;
  });
  return { signedOut };
}
