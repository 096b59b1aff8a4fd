import type { Insertable } from 'kysely';
import type { DB } from '#db/tables.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';
import { deliverCardEvents, goodCard, membershipOf } from '#testing/fixtures/cards.ts';
import { sendPicture } from './office-pictures.ts';
import type { TestApp, TestOffice } from './test-app.ts';

/** Payments of each kind that a call can name, with a refund, a ledger entry, a recording and a dispute. */
export async function addPayments(testApp: TestApp, office: TestOffice, mark: string) {
  const { id } = testApp.services;
  const at = testApp.now();
  const officeId = office.id;
  await testApp.owner
    .updateTable('office')
    .set({ finixIdentity: `${mark}-identity` })
    .where('id', '=', officeId)
    .execute();
  const visits = await Promise.all(
    [1, 2, 3, 4].map(() => testApp.visit({ office, firstName: `${mark}-payer`, lastName: `${mark}-paid` })),
  );
  const [charged, requested, unknown, withdrawn] = visits.map((visit) => ({
    officeId,
    id: id(),
    visitId: visit.id,
    patientName: `${mark}-payer ${mark}-paid`,
    copayCents: 2_000,
    claimsCents: 500,
    amountCents: 2_500,
    provider: 'local',
    merchant: `${mark}-identity`,
    requestedBy: `${mark}-requester`,
    createdAt: at,
  })) as [NewPayment, NewPayment, NewPayment, NewPayment];
  const refund = { officeId, id: id(), paymentId: charged.id };
  await testApp.inOffice(office, async (tx) => {
    await tx
      .insertInto('payment')
      .values([
        {
          ...charged,
          state: 'SUCCEEDED',
          settledAt: at,
          transferId: `${mark}-transfer`,
          cardBrand: 'Visa',
          cardLast4: '4242',
          refundedCents: 100,
        },
        { ...requested, state: 'REQUESTED' },
        { ...unknown, state: 'UNKNOWN', claimedAt: at },
        { ...withdrawn, state: 'REQUESTED' },
      ])
      .execute();
    await tx
      .insertInto('paymentRefund')
      .values({
        ...refund,
        kind: 'refund',
        amountCents: 100,
        reason: `${mark}-reason`,
        state: 'SUCCEEDED',
        createdAt: at,
      })
      .execute();
    const entry = { officeId, paymentId: charged.id, cardBrand: 'Visa', at, day: '2026-03-02' };
    await tx
      .insertInto('moneyEntry')
      .values([
        { ...entry, id: id(), amountCents: 2_500 },
        { ...entry, id: id(), amountCents: -100, refundId: refund.id },
      ])
      .execute();
    await tx
      .insertInto('paymentRecording')
      .values({
        officeId,
        id: id(),
        paymentId: charged.id,
        part: 'copay',
        amountCents: 2_000,
        state: 'refused',
        problem: `${mark}-problem`,
        createdAt: at,
      })
      .execute();
  });
  await testApp.inOffice(office, (tx) =>
    tx
      .insertInto('paymentNotice')
      .values({
        officeId,
        id: id(),
        paymentId: charged.id,
        kind: 'dispute',
        key: `${mark}-dispute`,
        amountCents: 2_500,
        state: `${mark}-pending`,
        createdAt: at,
      })
      .execute(),
  );
  return {
    chargeId: charged.id,
    requestedId: requested.id,
    unknownId: unknown.id,
    withdrawnId: withdrawn.id,
    card: 'no-such-card',
    provedToken: await testApp.provedToken(requested.visitId, office),
    visitPictureId: await sendPicture(testApp, office, mark, visits[1]?.patientUserCode ?? ''),
  };
}
type NewPayment = Omit<Insertable<DB['payment']>, 'state'> & { id: string; visitId: string };

/** A plan with a card and an invoice at the card provider, and an event about them. */
export async function startPlan(testApp: TestApp, mark: string, office: TestOffice) {
  const membership = await membershipOf(testApp, office);
  await membership.saveCard(goodCard, `${mark}-cardholder`);
  await membership.choose('lite');
  // Without the trial of a first plan, the second one has an invoice.
  await membership.cancel();
  await testApp.owner
    .updateTable('card.subscription')
    .set({ status: 'canceled', dueAt: null })
    .where('customerId', '=', membership.customerId)
    .execute();
  await membership.choose('lite');
  await deliverCardEvents(testApp);
  const [invoice] = await membership.invoices();
  const { id } = await membership.read();
  return {
    customerId: membership.customerId,
    planId: id ?? '',
    priceId: `price_local_pilot_${office.npi.slice(-5)}`,
    invoiceId: invoice?.id ?? '',
  };
}

/** An application for card payments that was not approved, so that the office can begin another one; returns its identity. */
export async function addRejectedMerchant(testApp: TestApp, mark: string, office: TestOffice): Promise<string> {
  const { id: officeId, personId: begunBy } = office;
  const [applicationId, at, identityId] = [testApp.services.id(), testApp.now(), `${mark}-identity`];
  await testApp.inOffice(office, async (tx) => {
    await tx
      .insertInto('merchantApplication')
      .values({
        officeId,
        id: applicationId,
        provider: 'local',
        state: 'rejected',
        begunBy,
        begunAt: at,
        addressAnswers: JSON.stringify({ line1: `${mark}-line`, city: `${mark}-town`, state: 'NY', zip: '11201' }),
        identityId,
        merchantId: `${mark}-merchant`,
        submittedAt: at,
        decidedAt: at,
      })
      .execute();
    await addToDirectory(tx, { officeId, kind: 'merchant', key: `local ${identityId}` });
    const event = {
      officeId,
      id: testApp.services.id(),
      applicationId,
      key: `${mark}-told`,
      type: `${mark}-decided`,
      at,
    };
    await tx.insertInto('merchantEvent').values(event).execute();
  });
  return identityId;
}
