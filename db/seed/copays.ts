import type { Actor, OfficeScope, Services } from '#server/context.ts';
import {
  addRequest,
  checkCharge,
  checkRefund,
  claimCharge,
  endRefund,
  lockPayment,
  recordInAthena,
  refundPayment,
  sendCharge,
  voidPayment,
} from '#server/features/copay/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { failTransfer, insertCard, loseAnswers } from '#server/providers/charges/local-sql.ts';
import { behaviorOf, brandOf } from '#server/providers/charges/test-cards.ts';
import { setBehavior } from '#server/providers/practice-software/local-sql.ts';

/** A copay of the demo's morning: how many minutes after arrival it was requested, and what became of it. */
interface CopayStory {
  cents: number;
  claims?: number;
  /** The card that paid it; without one it is still requested. */
  card?: string;
  then?:
    | 'refund'
    | 'void'
    | 'withdraw'
    | 'not-recorded'
    | 'lost'
    | 'recording-lost'
    | 'refund-lost'
    | 'refund-contradicted';
}

const good = '4242424242424242';

/** One for each visit from the earliest on: every state that the screens can show. */
const stories: CopayStory[] = [
  { cents: 2_500, card: good },
  { cents: 4_000, claims: 1_500, card: '5555555555554444', then: 'refund-contradicted' },
  { cents: 2_500, then: 'withdraw' },
  { cents: 3_000, card: good, then: 'void' },
  { cents: 4_000, card: '378282246310005', then: 'refund' },
  { cents: 2_500, claims: 6_000, card: good, then: 'not-recorded' },
  { cents: 3_500, card: '4000000000000002' },
  { cents: 2_500, card: '4000000000000077' },
  { cents: 2_000, card: '4000000000000119', then: 'lost' },
  { cents: 2_500, card: good, then: 'recording-lost' },
  { cents: 4_500, card: good, then: 'refund-lost' },
  { cents: 4_000 },
];

/** An application that the payment provider approved a month ago, without its steps. */
export async function approveAtOnce(services: Services, officeId: string): Promise<void> {
  const [id, identityId] = [services.id(), `ID-${officeId}`];
  const at = new Date(services.now().getTime() - 30 * 86_400_000);
  await asOffice(services.db, officeId, async (tx) => {
    await tx
      .insertInto('merchantApplication')
      .values({
        officeId,
        id,
        state: 'approved',
        provider: services.providers.merchant.name,
        begunAt: at,
        identityId,
        merchantId: `MU-${officeId}`,
        bankOnFile: true,
        submittedAt: at,
        decidedAt: at,
      })
      .onConflict((known) => known.doNothing())
      .execute();
    await tx.updateTable('office').set({ finixIdentity: identityId }).where('id', '=', officeId).execute();
  });
}

/** Plays a morning's copays through the real functions and the local payment provider, each at its time. */
export async function seedCopays(
  services: Services,
  { officeId, npi, day, desk }: { officeId: string; npi: string; day: string; desk: Actor },
): Promise<void> {
  if (services.providers.charges.name !== 'local' || services.providers.practiceSoftware.name !== 'local') return;
  const visits = await asOffice(services.db, officeId, (tx) =>
    tx
      .selectFrom('visit')
      .select(['id', 'createdAt'])
      .where('officeId', '=', officeId)
      .where('day', '=', day)
      .orderBy('createdAt')
      .limit(stories.length)
      .execute(),
  );
  for (const [i, { id: visitId, createdAt }] of visits.entries()) {
    const story = stories[i];
    if (!story) continue;
    // Halfway between the arrival and now, so that it is never in the future.
    const at = new Date((createdAt.getTime() + services.now().getTime()) / 2);
    const then = { ...services, now: () => at, auditNow: services.now };
    await playCopay(then, { officeId, npi, desk, visitId }, story);
  }
}

async function playCopay(
  services: Services,
  { officeId, npi, desk, visitId }: { officeId: string; npi: string; desk: Actor; visitId: string },
  { cents, claims = 0, card: number, then }: CopayStory,
): Promise<void> {
  const staff = officeScope(services, officeId, desk, 'demo');
  const chargeId = await staff.transaction((tx) => addRequest(tx, staff, { visitId, copay: cents, claims }));
  if (then === 'withdraw') await voidPayment(staff, chargeId, { move: 'withdraw', reason: 'Covered by insurance' });
  if (number === undefined) return;

  const card = services.id();
  await insertCard(services.db, {
    id: card,
    brand: brandOf(number),
    last4: number.slice(-4),
    behavior: behaviorOf(number) ?? 'ok',
    createdAt: services.now(),
  });
  const patient = officeScope(services, officeId, { kind: 'patient', id: null, name: null }, 'demo');
  await patient.transaction(async (tx) => {
    const request = await lockPayment(tx, officeId, chargeId);
    if (request) await claimCharge(tx, patient, request, card);
  });
  await sendCharge(patient, chargeId);
  if (then === 'lost') for (let i = 0; i < 6; i++) await checkCharge(patient, chargeId, { resend: false });
  if (then === 'void') return void (await voidPayment(staff, chargeId, { move: 'void', reason: 'Wrong patient' }));
  if (then === 'not-recorded') await setBehavior(services.db, npi, 'refuse');
  if (then === 'recording-lost') await setBehavior(services.db, npi, 'no-answer');
  if (then !== 'lost' && number === good) await recordInAthena(staff, chargeId);
  if (then === 'not-recorded' || then === 'recording-lost') await setBehavior(services.db, npi, null);
  if (then === 'refund-lost') await loseRefund(services, staff, chargeId);
  if (then === 'refund-contradicted') await contradictRefund(services, staff, chargeId);
  if (then === 'refund')
    await refundPayment(staff, chargeId, { id: services.id(), amount: 1_500, reason: 'Copay was too high' });
}

/** A refund whose answer never came: a person has to look it up. */
async function loseRefund(services: Services, staff: OfficeScope, chargeId: string): Promise<string> {
  await loseAnswers(services.db, `${staff.officeId}.${chargeId}`);
  const id = services.id();
  await refundPayment(staff, chargeId, { id, amount: 1_000, reason: 'Copay was too high' });
  for (let i = 0; i < 6; i++) await checkRefund(staff, id, { resend: false });
  return id;
}

/** A refund that the desk called done, and that the payment provider then called failed. */
async function contradictRefund(services: Services, staff: OfficeScope, chargeId: string): Promise<void> {
  const id = await loseRefund(services, staff, chargeId);
  await endRefund(staff, id, 'confirmRefunded');
  await failTransfer(services.db, `${staff.officeId}.${id}`);
  // Nobody has to be alerted to the demo's.
  await checkRefund({ ...staff, log: staff.log.child({}, { level: 'silent' }) }, id, { resend: false });
}
