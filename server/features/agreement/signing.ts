import { runningStates, type AgreementStatus, type SigningLink } from '#contract/agreement.ts';
import { emailPattern } from '#contract/sign-in/code.ts';
import type { OfficeScope, PersonCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { EsignRefused } from '#server/providers/esign/port.ts';
import { referenceOf, settle } from './settle-agreement.ts';
import { addAgreement, changeAgreement, latestAgreement, takeOverAsking, type AgreementRow } from './sql.ts';
import { staffScope, statusOf } from './agreement-status.ts';
import { currentVersion } from './template.ts';

interface Signer {
  email: string;
  name: string | null;
}

/** A practice signs once; people who press again and again get a new link each time, within reason. */
const linksPerHour = { name: 'signing-link', points: 60, seconds: 3600 };
const leaseMs = 60_000;
/** Whoever asks more often than this gets what we know. */
const freshMs = 2_000;

/** A link that opens the signing once. A running request is used again; signed already counts as completed. */
export async function retrieveSigning(
  ctx: PersonCtx,
  esign: string,
  asked: { officeId: string; email: string; name?: string | undefined },
): Promise<SigningLink> {
  const scope = await ownOffice(ctx, esign, asked.officeId);
  const email = asked.email.trim().toLowerCase();
  if (!emailPattern.test(email)) throw new Refusal('invalid_email');
  await ctx.limits.take(linksPerHour, scope.officeId);
  return answering(async () => {
    const agreement = await runningFor(ctx, scope, { email, name: asked.name?.trim() || null });
    if (agreement === 'signed') return answer(scope, 'ALREADY_SIGNED');
    if (agreement === 'loading') return answer(scope, 'LOADING');
    return mintLink(ctx, scope, agreement);
  });
}

/** Looks at the provider now, and answers how the office stands. */
export async function confirmSigned(ctx: PersonCtx, esign: string, officeId: string): Promise<AgreementStatus> {
  const scope = await ownOffice(ctx, esign, officeId);
  const latest = await scope.transaction((tx) => latestAgreement(tx, scope.officeId));
  const isFresh = latest?.checkedAt && ctx.now().getTime() - latest.checkedAt.getTime() < freshMs;
  if (latest?.requestId && !isFresh) await answering(() => settle(scope, latest.id));
  return statusOf(scope);
}

/** The office a call names, if it is one of the caller's and the one their tab shows. */
async function ownOffice(ctx: PersonCtx, esign: string, officeId: string): Promise<OfficeScope> {
  if (esign !== ctx.providers.esign.name) throw new Refusal('not_found');
  const { rows } = await ctx.pool.query<{ id: string }>('select id from door_offices_of($1)', [ctx.caller.personId]);
  const isTheirs = rows.some(({ id }) => id === officeId);
  if (!isTheirs || (ctx.namedOffice && ctx.caller.office?.id !== officeId)) throw new Refusal('office_not_found');
  return staffScope(ctx, officeId);
}

/** The office's one running agreement for this signer, made if there is none. */
async function runningFor(
  ctx: PersonCtx,
  scope: OfficeScope,
  signer: Signer,
): Promise<AgreementRow | 'signed' | 'loading'> {
  const { officeId } = scope;
  const { isSigned, latest } = await scope.transaction(async (tx) => {
    const office = await tx
      .selectFrom('office')
      .select('agreementSignedAt')
      .where('id', '=', officeId)
      .executeTakeFirstOrThrow();
    return { isSigned: office.agreementSignedAt !== null, latest: await latestAgreement(tx, officeId) };
  });
  if (isSigned) return 'signed';
  if (latest?.state === 'asking') return askAgain(scope, latest);
  if (latest?.state === 'open') {
    const now = await settle(scope, latest.id);
    if (now.state === 'signed') return 'signed';
    if (now.state === 'open') {
      if (now.signerEmail === signer.email) return now;
      // Another person wants to sign: the request is in somebody else's name.
      await scope.providers.esign.cancel(now.requestId ?? '');
      if ((await settle(scope, now.id)).state === 'signed') return 'signed';
    }
  }
  return askForSignature(scope, { ...signer, personId: ctx.caller.personId });
}

/** Takes the request that runs back; one that is signed by now, or still being made, refuses. */
export async function takeBack(scope: OfficeScope): Promise<void> {
  await answering(async () => {
    let latest = await scope.transaction((tx) => latestAgreement(tx, scope.officeId));
    if (latest?.state === 'asking') {
      const found = await askAgain(scope, latest);
      if (found === 'loading') throw new Refusal('agreement_in_preparation');
      latest = found;
    }
    if (latest?.state !== 'open') return;
    await scope.providers.esign.cancel(latest.requestId ?? '');
    const { state } = await settle(scope, latest.id);
    if (state === 'signed') throw new Refusal('agreement_signed');
    if (state === 'open') throw new Refusal('agreement_in_preparation');
  });
}

/** Whether a request is before a signer, or about to be. */
export async function isRunning(tx: Tx, officeId: string): Promise<boolean> {
  const latest = await latestAgreement(tx, officeId);
  return latest !== undefined && runningStates.some((state) => state === latest.state);
}

/** Puts the text of now before a signer; `loading` when the office has a request running already. */
export async function askForSignature(
  scope: OfficeScope,
  signer: Signer & { personId: string | null },
): Promise<AgreementRow | 'loading'> {
  const asked = await scope.transaction((tx) =>
    addAgreement(tx, {
      officeId: scope.officeId,
      id: scope.id(),
      version: currentVersion,
      provider: scope.providers.esign.name,
      signerName: signer.name,
      signerEmail: signer.email,
      askedBy: signer.personId,
      askedAt: scope.now(),
      leaseUntil: new Date(scope.now().getTime() + leaseMs),
    }),
  );
  return asked ? askProvider(scope, asked) : 'loading';
}

/** Somebody is asking right now; or they were and are gone, then it is found out what became of it. */
export async function askAgain(scope: OfficeScope, row: AgreementRow): Promise<AgreementRow | 'loading'> {
  const now = scope.now();
  const mine = await scope.transaction((tx) => takeOverAsking(tx, row, now, new Date(now.getTime() + leaseMs)));
  if (!mine) return 'loading';
  const found = await scope.providers.esign.find(referenceOf(mine));
  return found ? opened(scope, mine, found) : askProvider(scope, mine);
}

/** Makes the document and asks for its signature. A sure no frees the office; after an unknown fate the lease runs out first. */
async function askProvider(scope: OfficeScope, row: AgreementRow): Promise<AgreementRow> {
  const { name, npi, addressLine1, city, state, zip } = await scope.transaction((tx) =>
    tx.selectFrom('office').selectAll().where('id', '=', row.officeId).executeTakeFirstOrThrow(),
  );
  const address = [addressLine1, city, `${state} ${zip}`.trim()].filter(Boolean).join(', ');
  const { operatorName, productName } = scope.env;
  const parties = { coveredEntity: { name, npi, address }, businessAssociate: operatorName, product: productName };
  const { agreementPaper } = await import('./agreement-pdf.ts');
  const { title, pdf, place, readable } = await agreementPaper(row.version, parties, scope.now());
  try {
    const request = await scope.providers.esign.create({
      reference: referenceOf(row),
      title,
      fileName: `business-associate-agreement-${npi}.pdf`,
      pdf,
      readable,
      signer: { name: row.signerName ?? row.signerEmail, email: row.signerEmail },
      place,
      signal: AbortSignal.timeout(30_000),
    });
    return await opened(scope, row, request);
  } catch (error) {
    if (error instanceof EsignRefused && error.reason !== 'unreachable' && error.reason !== 'conflict')
      await scope.transaction((tx) =>
        changeAgreement(tx, row.officeId, row.id, {
          state: 'failed',
          endedAt: scope.now(),
          leaseUntil: null,
          checkAt: null,
        }),
      );
    throw error;
  }
}

function opened(scope: OfficeScope, row: AgreementRow, request: { requestId: string; signatureId: string }) {
  return scope.transaction(async (tx) => {
    await writeAuditEntry(tx, scope, { action: 'agreement.ask', subject: row.id, details: { version: row.version } });
    return changeAgreement(tx, row.officeId, row.id, { ...request, state: 'open', leaseUntil: null, checkAt: null });
  });
}

async function mintLink(ctx: PersonCtx, scope: OfficeScope, row: AgreementRow): Promise<SigningLink> {
  const { requestId, signatureId } = row;
  if (requestId === null || signatureId === null) throw new Error('an open agreement without its request');
  const person = { id: ctx.caller.personId, signedInAs: await signedInAs(ctx), language: ctx.language };
  try {
    const { url, expiresAt } = await scope.providers.esign.mintLink({ requestId, signatureId }, person);
    await scope.transaction(async (tx) => {
      const now = scope.now();
      await writeAuditEntry(tx, scope, { action: 'agreement.link', subject: row.id });
      await changeAgreement(tx, row.officeId, row.id, {
        linkMadeAt: now,
        checks: 0,
        checkAt: new Date(now.getTime() + 2 * 60_000),
      });
    });
    return { ...answer(scope, 'URL_RETRIEVED'), url, expiresAt: expiresAt.toISOString() };
  } catch (error) {
    // Over since we looked a moment ago: signed is fine, anything else is tried again by the next click.
    if (error instanceof EsignRefused && (await settle(scope, row.id)).state === 'signed')
      return answer(scope, 'ALREADY_SIGNED');
    throw error;
  }
}

/** What the person proved to be theirs: for the trail, beside the name and address they give. */
async function signedInAs({ db, caller }: PersonCtx): Promise<string> {
  const identities = await db
    .selectFrom('auth.identity')
    .select('value')
    .where('personId', '=', caller.personId)
    .orderBy('kind')
    .execute();
  return identities.map(({ value }) => value).join(', ') || caller.personName;
}

function answer(scope: OfficeScope, status: SigningLink['status']): SigningLink {
  return { status, url: null, expiresAt: null, client: scope.providers.esign.client };
}

/** What the provider does not do is ours to say in our words; the caller can only try again. */
async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EsignRefused) throw new Refusal('esign_away', undefined, error.retryAfterSeconds ?? 5);
    throw error;
  }
}
