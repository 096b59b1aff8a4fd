import { createHash } from 'node:crypto';
import { agreementMoves, type AgreementMove } from '#contract/agreement.ts';
import { systemActor, type OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { EsignRefused, type SigningRequest } from '#server/providers/esign/port.ts';
import { newFileKey, type StoredFile } from '#server/providers/storage/port.ts';
import { officeRow } from '#server/office-row.ts';
import { agreementById, changeAgreement, lockAgreement, markOfficeSigned, type AgreementRow } from './sql.ts';

/** Our name for an agreement at the provider. */
export const referenceOf = ({ officeId, id }: Pick<AgreementRow, 'officeId' | 'id'>) => `${officeId}.${id}`;

const minute = 60_000;
const largestPdf = 20_000_000;

/**
 * Reads an agreement's state at the provider and saves it. This is the only way to "signed": a callback, the browser or a timer only
 * triggers this check. Throws EsignRefused if the provider cannot answer.
 */
export async function syncAgreement(callerScope: OfficeScope, id: string): Promise<AgreementRow> {
  // Whoever triggers the check did not sign or decline, so the audit log names the system as the actor.
  const scope: OfficeScope = { ...callerScope, actor: systemActor };
  const row = await scope.transaction((tx) => agreementById(tx, scope.officeId, id));
  if (!row) throw new Error('no such agreement');
  const isDone = row.state === 'signed' ? row.fileKey !== null : row.state !== 'open' && row.state !== 'canceled';
  if (row.requestId === null || isDone) return isDone ? stopChecking(scope, row) : row;
  const request = await readRequest(scope, row.requestId);
  if (!request) return applyMove(scope, row, 'fail', { endedAt: scope.now() });
  if (request.reference !== null && request.reference !== referenceOf(row))
    throw new Error('the provider answers with a request that is not ours');
  if (request.state === 'signed') return saveSigned(scope, row, request);
  if (request.state === 'open') return scheduleNextCheck(scope, row, request);
  const ended = { endedAt: scope.now(), declineReason: request.declineReason?.slice(0, 500) ?? null };
  return applyMove(scope, row, moveTo[request.state], ended);
}

const moveTo = { declined: 'decline', expired: 'expire', canceled: 'cancel', failed: 'fail' } as const;

async function readRequest(scope: OfficeScope, requestId: string): Promise<SigningRequest | null> {
  try {
    return await scope.providers.esign.read(requestId);
  } catch (error) {
    if (error instanceof EsignRefused && (error.reason === 'not-found' || error.reason === 'gone')) return null;
    throw error;
  }
}

/** Schedules the next check. The interval grows from two minutes to six hours. */
function scheduleNextCheck(scope: OfficeScope, row: AgreementRow, request: SigningRequest): Promise<AgreementRow> {
  const wait = Math.min(2 ** Math.min(row.checks, 10) * 2, 6 * 60) * minute;
  return scope.transaction((tx) =>
    changeAgreement(tx, row.officeId, row.id, {
      viewedAt: request.viewedAt,
      checkedAt: scope.now(),
      checks: row.checks + 1,
      checkAt: row.state === 'open' ? new Date(scope.now().getTime() + wait) : null,
    }),
  );
}

/** Makes a move and audits it. A move that the current state does not allow changes nothing. */
function applyMove(
  scope: OfficeScope,
  row: AgreementRow,
  move: Exclude<AgreementMove, 'open' | 'sign'>,
  changes: Partial<AgreementRow>,
): Promise<AgreementRow> {
  return scope.transaction(async (tx) => {
    const current = await lockAgreement(tx, row.officeId, row.id);
    const { from, to } = agreementMoves[move];
    const checked = { checkedAt: scope.now(), checkAt: null };
    if (!(from as readonly string[]).includes(current.state)) return changeAgreement(tx, row.officeId, row.id, checked);
    await writeAuditEntry(tx, scope, {
      action: `agreement.${move}`,
      subject: row.id,
      details: { version: row.version },
    });
    await sendHint(tx, { office: row.officeId, type: 'agreement' });
    return changeAgreement(tx, row.officeId, row.id, { ...changes, ...checked, leaseUntil: null, state: to });
  });
}

/** Marks the office as signed at once and saves the file when the provider has it. Idempotent. */
async function saveSigned(scope: OfficeScope, row: AgreementRow, request: SigningRequest): Promise<AgreementRow> {
  const file = row.fileKey === null ? await fetchFile(scope, row) : null;
  const saved = await scope.transaction(async (tx) => {
    const current = await lockAgreement(tx, row.officeId, row.id);
    const signedAt = request.signedAt ?? scope.now();
    const isNews = await markSigned(tx, scope, current, signedAt);
    const takesFile = file !== null && current.fileKey === null;
    const hasFile = takesFile || current.fileKey !== null;
    const after = await changeAgreement(tx, row.officeId, row.id, {
      ...(isNews && {
        state: agreementMoves.sign.to,
        signedAt,
        endedAt: null,
        signerName: request.signer.name || row.signerName,
      }),
      ...(takesFile && { fileKey: file.key, fileSha256: file.sha256, fileBytes: file.bytes }),
      viewedAt: request.viewedAt ?? row.viewedAt,
      checkedAt: scope.now(),
      checks: row.checks + 1,
      // Every minute for half an hour, then every hour.
      checkAt: hasFile ? null : new Date(scope.now().getTime() + (row.checks < 30 ? 1 : 60) * minute),
    });
    if (takesFile)
      await writeAuditEntry(tx, scope, { action: 'agreement.file', subject: row.id, details: { sha256: file.sha256 } });
    return after;
  });
  if (file && saved.fileKey !== file.key) await scope.providers.storage.delete(file.key);
  return saved;
}

async function markSigned(tx: Tx, scope: OfficeScope, current: AgreementRow, signedAt: Date): Promise<boolean> {
  if (!(agreementMoves.sign.from as readonly string[]).includes(current.state)) return false;
  await markOfficeSigned(tx, current.officeId, signedAt);
  const details = { version: current.version, provider: current.provider };
  await writeAuditEntry(tx, scope, { action: 'agreement.sign', subject: current.id, details });
  await sendHint(tx, { office: current.officeId, type: 'agreement' });
  return true;
}

/** Copies the signed PDF to the file store; null if the provider is still creating it or the store refused it. */
async function fetchFile(scope: OfficeScope, row: AgreementRow): Promise<StoredFile | null> {
  const pdf = await scope.providers.esign.signedPdf(row.requestId ?? '').catch((error: unknown) => {
    if (error instanceof EsignRefused && error.tryAgain) return null;
    throw error;
  });
  if (!pdf) return null;
  if (pdf.subarray(0, 5).toString('latin1') !== '%PDF-' || pdf.length > largestPdf)
    throw new Error('the provider sent something other than a PDF');
  const { npi } = await scope.transaction((tx) => officeRow(tx, row.officeId));
  const key = newFileKey(scope, npi);
  return scope.providers.storage.put(key, pdf, { contentType: 'application/pdf' }).catch((error: unknown) => {
    const { name, code } = error as { name?: string; code?: string };
    scope.log.error({ agreement: row.id, name, code }, 'the file store refused a signed agreement; it will be retried');
    return null;
  });
}

function stopChecking(scope: OfficeScope, row: AgreementRow): Promise<AgreementRow> | AgreementRow {
  if (row.checkAt === null) return row;
  return scope.transaction((tx) => changeAgreement(tx, row.officeId, row.id, { checkAt: null }));
}

/** The SHA-256 of a stored file, in hex. */
export async function hashOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
