import { runningStates, type AgreementStatus, type SigningLink } from '#contract/agreement.ts';
import { emailPattern } from '#contract/email.ts';
import { addressLine } from '#contract/practice/address-line.ts';
import type { OfficeScope, PersonCtx } from '#server/context.ts';
import { identitiesOf } from '#server/identities.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { officesOf } from '#server/kit/db/office-directory.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { EsignRefused } from '#server/providers/esign/port.ts';
import { referenceOf, syncAgreement } from './sync-agreement.ts';
import { officeRow } from '#server/office-row.ts';
import { addAgreement, changeAgreement, latestAgreement, takeOverRequest, type AgreementRow } from './sql.ts';
import { staffScope, statusOf } from './agreement-status.ts';
import { currentVersion } from './template.ts';

interface Signer {
  email: string;
  name: string | null;
}

/** Each click gets a new link, up to this limit. */
const linksPerHour = { name: 'signing-link', points: 60, seconds: 3600 };
const leaseMs = 60_000;
/** Within this time after a check, the saved state is returned without asking the provider. */
const freshMs = 2_000;

/** Returns a signing link that works once. Reuses a running request; an office that has signed counts as completed. */
export async function retrieveSigning(
  ctx: PersonCtx,
  esign: string,
  input: { officeId: string; email: string; name?: string | undefined },
): Promise<SigningLink> {
  const scope = await ownOffice(ctx, esign, input.officeId);
  const email = input.email.trim().toLowerCase();
  if (!emailPattern.test(email)) throw new Refusal('invalid_email');
  await ctx.limits.take(linksPerHour, scope.officeId);
  return refuseWhenUnavailable(async () => {
    const agreement = await findOrRequestAgreement(ctx, scope, { email, name: input.name?.trim() || null });
    if (agreement === 'signed') return toSigningLink(scope, 'ALREADY_SIGNED');
    if (agreement === 'loading') return toSigningLink(scope, 'LOADING');
    return mintLink(ctx, scope, agreement);
  });
}

/** Checks the agreement at the provider now and returns its status. */
export async function confirmSigned(ctx: PersonCtx, esign: string, officeId: string): Promise<AgreementStatus> {
  const scope = await ownOffice(ctx, esign, officeId);
  const latest = await scope.transaction((tx) => latestAgreement(tx, scope.officeId));
  const isFresh = latest?.checkedAt && ctx.now().getTime() - latest.checkedAt.getTime() < freshMs;
  if (latest?.requestId && !isFresh) await refuseWhenUnavailable(() => syncAgreement(scope, latest.id));
  return statusOf(scope);
}

/** The office a call names; refuses unless it is one of the caller's and the one their tab shows. */
async function ownOffice(ctx: PersonCtx, esign: string, officeId: string): Promise<OfficeScope> {
  if (esign !== ctx.providers.esign.name) throw new Refusal('not_found');
  const isTheirs = (await officesOf(ctx.db, ctx.caller.personId)).some(({ id }) => id === officeId);
  if (!isTheirs || (ctx.namedOffice && ctx.caller.office?.id !== officeId)) throw new Refusal('office_not_found');
  return staffScope(ctx, officeId);
}

/** The office's running agreement for this signer; requests one if there is none. */
async function findOrRequestAgreement(
  ctx: PersonCtx,
  scope: OfficeScope,
  signer: Signer,
): Promise<AgreementRow | 'signed' | 'loading'> {
  const { officeId } = scope;
  const { isSigned, latest } = await scope.transaction(async (tx) => {
    const office = await officeRow(tx, officeId);
    return { isSigned: office.agreementSignedAt !== null, latest: await latestAgreement(tx, officeId) };
  });
  if (isSigned) return 'signed';
  if (latest?.state === 'asking') return resumeRequest(scope, latest);
  if (latest?.state === 'open') {
    const now = await syncAgreement(scope, latest.id);
    if (now.state === 'signed') return 'signed';
    if (now.state === 'open') {
      if (now.signerEmail === signer.email) return now;
      // Another person wants to sign, but the request names somebody else.
      await scope.providers.esign.cancel(now.requestId ?? '');
      if ((await syncAgreement(scope, now.id)).state === 'signed') return 'signed';
    }
  }
  return requestSignature(scope, { ...signer, personId: ctx.caller.personId });
}

/** Cancels the running request; refuses if it is already signed or still being created. */
export async function cancelRunningRequest(scope: OfficeScope): Promise<void> {
  await refuseWhenUnavailable(async () => {
    let latest = await scope.transaction((tx) => latestAgreement(tx, scope.officeId));
    if (latest?.state === 'asking') {
      const resumed = await resumeRequest(scope, latest);
      if (resumed === 'loading') throw new Refusal('agreement_in_preparation');
      latest = resumed;
    }
    if (latest?.state !== 'open') return;
    await scope.providers.esign.cancel(latest.requestId ?? '');
    const { state } = await syncAgreement(scope, latest.id);
    if (state === 'signed') throw new Refusal('agreement_signed');
    if (state === 'open') throw new Refusal('agreement_in_preparation');
  });
}

/** Whether a request is open or being created. */
export async function hasRunningRequest(tx: Tx, officeId: string): Promise<boolean> {
  const latest = await latestAgreement(tx, officeId);
  return latest !== undefined && runningStates.some((state) => state === latest.state);
}

/** Requests a signature of the current text; `loading` if the office already has a running request. */
export async function requestSignature(
  scope: OfficeScope,
  signer: Signer & { personId: string | null },
): Promise<AgreementRow | 'loading'> {
  const agreement = await scope.transaction((tx) =>
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
  return agreement ? createRequest(scope, agreement) : 'loading';
}

/** `loading` while another process creates the request. If that process is gone, finds its request at the provider or creates one. */
export async function resumeRequest(scope: OfficeScope, row: AgreementRow): Promise<AgreementRow | 'loading'> {
  const now = scope.now();
  const claimed = await scope.transaction((tx) => takeOverRequest(tx, row, now, new Date(now.getTime() + leaseMs)));
  if (!claimed) return 'loading';
  const request = await scope.providers.esign.find(referenceOf(claimed));
  return request ? saveOpenRequest(scope, claimed, request) : createRequest(scope, claimed);
}

/** Creates the document and the provider's request. A definite refusal ends the agreement; if the outcome is unknown, the lease runs out first. */
async function createRequest(scope: OfficeScope, row: AgreementRow): Promise<AgreementRow> {
  const office = await scope.transaction((tx) => officeRow(tx, row.officeId));
  const coveredEntity = { name: office.name, npi: office.npi, address: addressLine(office) };
  const { operatorName, productName } = scope.env;
  const parties = { coveredEntity, businessAssociate: operatorName, product: productName };
  const { agreementPdf } = await import('./agreement-pdf.ts');
  const { title, pdf, place, readable } = await agreementPdf(row.version, parties, scope.now());
  try {
    const request = await scope.providers.esign.create({
      reference: referenceOf(row),
      title,
      fileName: `business-associate-agreement-${office.npi}.pdf`,
      pdf,
      readable,
      signer: { name: row.signerName ?? row.signerEmail, email: row.signerEmail },
      place,
      signal: AbortSignal.timeout(30_000),
    });
    return await saveOpenRequest(scope, row, request);
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

function saveOpenRequest(scope: OfficeScope, row: AgreementRow, request: { requestId: string; signatureId: string }) {
  return scope.transaction(async (tx) => {
    await writeAuditEntry(tx, scope, { action: 'agreement.ask', subject: row.id, details: { version: row.version } });
    return changeAgreement(tx, row.officeId, row.id, { ...request, state: 'open', leaseUntil: null, checkAt: null });
  });
}

async function mintLink(ctx: PersonCtx, scope: OfficeScope, row: AgreementRow): Promise<SigningLink> {
  const { requestId, signatureId } = row;
  if (requestId === null || signatureId === null) throw new Error('an open agreement without its request');
  const person = { id: ctx.caller.personId, signedInAs: await verifiedIdentities(ctx), language: ctx.language };
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
    return { ...toSigningLink(scope, 'URL_RETRIEVED'), url, expiresAt: expiresAt.toISOString() };
  } catch (error) {
    // The request ended since the last check: if signed, report it; otherwise the next click retries.
    if (error instanceof EsignRefused && (await syncAgreement(scope, row.id)).state === 'signed')
      return toSigningLink(scope, 'ALREADY_SIGNED');
    throw error;
  }
}

/** The person's verified emails and numbers, for the provider's audit trail. */
async function verifiedIdentities({ db, caller }: PersonCtx): Promise<string> {
  const identities = await identitiesOf(db, caller.personId);
  const emailsFirst = identities.toSorted((a, b) => a.kind.localeCompare(b.kind));
  return emailsFirst.map(({ value }) => value).join(', ') || caller.personName;
}

function toSigningLink(scope: OfficeScope, status: SigningLink['status']): SigningLink {
  return { status, url: null, expiresAt: null, client: scope.providers.esign.client };
}

/** Turns the provider's errors into `esign_away`: the caller can only retry. */
async function refuseWhenUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EsignRefused) throw new Refusal('esign_away', undefined, error.retryAfterSeconds ?? 5);
    throw error;
  }
}
