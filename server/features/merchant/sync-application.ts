import { merchantMoves, type MerchantMove, type MerchantState } from '#contract/merchant.ts';
import { systemActor, type OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import type { Onboarding } from '#server/providers/merchant/port.ts';
import {
  applicationById,
  changeApplication,
  emailsOfMembers,
  latestApplication,
  lockApplication,
  setOfficeIdentity,
  type ApplicationRow,
} from './sql.ts';

/** Our name for an application at the provider. */
export const referenceOf = ({ officeId, id }: Pick<ApplicationRow, 'officeId' | 'id'>) => `${officeId}.${id}`;

const minute = 60_000;
const moveTo = {
  processing: 'submit',
  'update-requested': 'return',
  approved: 'approve',
  rejected: 'reject',
} as const;

/**
 * Reads an application's state at the provider and saves it. This is the only way to an identity or an approval: a callback, the return
 * page or a timer only triggers this check. Throws MerchantRefused if the provider cannot answer.
 */
export async function syncApplication(callerScope: OfficeScope, id: string): Promise<ApplicationRow> {
  // Whoever triggers the check did not decide, so the audit log names the system as the actor.
  const scope: OfficeScope = { ...callerScope, actor: systemActor };
  const row = await scope.transaction((tx) => applicationById(tx, scope.officeId, id));
  if (!row) throw new Error('no such application');
  const { merchant } = scope.providers;
  if (row.formId === null || row.provider !== merchant.name) return row;
  const reference = referenceOf(row);
  const { begunAt: createdAt, identityId, merchantId } = row;
  const onboarding = await merchant.readForm(row.formId, { reference, createdAt, identityId, merchantId });
  if (onboarding.reference !== null && onboarding.reference !== reference)
    throw new Error('the provider answers with an application that is not ours');
  return scope.transaction((tx) => saveOnboarding(tx, scope, row, onboarding));
}

async function saveOnboarding(
  tx: Tx,
  scope: OfficeScope,
  row: ApplicationRow,
  onboarding: Onboarding,
): Promise<ApplicationRow> {
  const current = await lockApplication(tx, row.officeId, row.id);
  const move = moveOf(onboarding, current);
  const isReplaced = current.state === 'rejected' && (await latestApplication(tx, row.officeId))?.id !== current.id;
  // A rejected application that was followed by another one stays rejected.
  const mayMove = move !== null && !isReplaced && isAllowed(move, current.state);
  const state = mayMove ? merchantMoves[move].to : current.state;
  const { identityId, merchantId, bank } = onboarding;
  const at = scope.now();
  const submission = mayMove ? await submissionOf(tx, current, state) : null;
  const { noticeTo, noticeTries } = submission ?? current;
  const saved = await changeApplication(tx, current, {
    ...(mayMove && {
      state,
      submittedAt: submission ? at : current.submittedAt,
      decidedAt: state === 'approved' || state === 'rejected' ? at : null,
    }),
    ...(identityId !== null && identityId !== current.identityId && { identityId }),
    ...(merchantId !== null && { merchantId }),
    ...(bank && { bankOnFile: true, bankLastFour: bank.lastFour }),
    checkedAt: at,
    checks: mayMove ? 0 : current.checks + 1,
    checkAt: noticeTo.length > 0 ? nextNotice(noticeTries, at) : nextCheck(state, mayMove ? 0 : current.checks, at),
    noticeTo,
    noticeTries,
  });
  if (mayMove) await announce(tx, scope, saved, move);
  // The provider may name the identity some time after the submission.
  else if (saved.identityId !== current.identityId && state !== 'rejected')
    await setOfficeIdentity(tx, row.officeId, saved.identityId);
  return saved;
}

/** The notices of a submission, to all members; null if it is none. After an update request it may name another bank account. */
async function submissionOf(tx: Tx, current: ApplicationRow, state: MerchantState) {
  const isAgain = current.state === 'update-requested' && state !== 'rejected';
  if (current.submittedAt !== null && !isAgain) return null;
  return { noticeTo: (await emailsOfMembers(tx, current.officeId)).map(({ email }) => email), noticeTries: 0 };
}

/** What the provider's answer means. That an account which was decided on is not found says nothing about the decision. */
function moveOf({ state, merchantId }: Onboarding, current: ApplicationRow): MerchantMove | null {
  if (state === 'open' || (merchantId === null && current.merchantId !== null)) return null;
  return moveTo[state];
}

const isAllowed = (move: MerchantMove, state: MerchantState) =>
  (merchantMoves[move].from as readonly MerchantState[]).includes(state);

/** A rejected practice has no payment identity, so that it can apply again. */
async function announce(tx: Tx, scope: OfficeScope, row: ApplicationRow, move: MerchantMove): Promise<void> {
  await setOfficeIdentity(tx, row.officeId, row.state === 'rejected' ? null : row.identityId);
  await writeAuditEntry(tx, scope, {
    action: `merchant.${move}`,
    subject: row.id,
    details: { provider: row.provider, identity: row.identityId },
  });
  await sendHint(tx, { office: row.officeId, type: 'merchant' });
}

/** From two minutes to six hours while something is awaited; once a day after an approval, which the provider may take back. */
function nextCheck(state: MerchantState, checks: number, now: Date): Date | null {
  if (state === 'rejected') return null;
  const minutes = state === 'approved' ? 24 * 60 : Math.min(2 ** Math.min(checks, 10) * 2, 6 * 60);
  return new Date(now.getTime() + minutes * minute);
}

/** Notices of a submission are sent with the next check, and those that failed with later ones. */
const nextNotice = (tries: number, now: Date) => new Date(now.getTime() + (tries === 0 ? 0 : 10 * minute));
