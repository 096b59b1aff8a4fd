import { createECDH } from 'node:crypto';
import type { Insertable } from 'kysely';
import {
  chatConversations,
  chatSettings,
  featureRequests,
  formsDesk,
  formsSettings,
  patient,
  push,
  queue,
  sharing,
  smsCheckin,
  team,
  websiteChat,
} from '#contract/index.ts';
import type { DB } from '#db/tables.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { newFileKey } from '#server/providers/storage/port.ts';
import {
  arrivalAnswers,
  arrivalForm,
  requestForms,
  formSetting,
  openVisitPhone,
  photo,
} from '#testing/fixtures/forms.ts';
import { deliverCardEvents, goodCard, membershipOf } from '#testing/fixtures/cards.ts';
import { sendForm, sendVisitorForm } from '#testing/fixtures/pictures.ts';
import type { TestApp, TestOffice } from './test-app.ts';

/** Every id that a call can name, of one office. */
export interface OfficeIds {
  officeId: string;
  npi: string;
  visitId: string;
  userCode: string;
  /** The visit's createdAt, which identifies it for callers of the older API. */
  dateTime: string;
  phone: string;
  token: string;
  staffEmail: string;
  staffPhone: string;
  textNumber: string;
  providerId: string;
  personId: string;
  sessionId: string;
  passkeyId: string;
  credentialId: string;
  patientId: string;
  memberId: string;
  messageId: string;
  conversationId: string;
  /** A picture of that conversation. */
  pictureId: string;
  /** A picture on the page of `provedToken`. */
  visitPictureId: string;
  /** The token of a website visitor, and a picture of their conversation. */
  visitorToken: string;
  chatPictureId: string;
  textId: string;
  /** Another member of the office. */
  colleagueId: string;
  invitationId: string;
  subscriptionId: string;
  definitionId: string;
  submissionId: string;
  /** The object key of its PDF. */
  formKey: string;
  fileId: string;
  /** At the payment provider. */
  identityId: string;
  shareId: string;
  /** A payment that was charged; one that is requested, and a proved link to its visit; one whose outcome is unknown. */
  chargeId: string;
  requestedId: string;
  provedToken: string;
  unknownId: string;
  /** Another one that is requested, for the call that withdraws it. */
  withdrawnId: string;
  /** At the card provider: the office, its subscription, a price of its own and an invoice. */
  customerId: string;
  planId: string;
  priceId: string;
  invoiceId: string;
}

/** Ids of the same shapes that do not exist. */
export const foreignIds: OfficeIds = {
  officeId: '019f1111-1111-7111-8111-111111111111',
  npi: '2999999999',
  visitId: '019f2222-2222-7222-8222-222222222222',
  userCode: 'AAAAAAAAAAAAAAAA',
  dateTime: '2026-03-02T14:59:59.123Z',
  phone: '+13125550000',
  token: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  staffEmail: 'nobody@nowhere.test',
  staffPhone: '+13125550001',
  textNumber: '+13125550002',
  providerId: 'SM00000000000000000000000000000000',
  personId: '019f3333-3333-7333-8333-333333333333',
  sessionId: '019f4444-4444-7444-8444-444444444444',
  passkeyId: '019f4444-4444-7444-8444-444444444445',
  credentialId: 'bm9ib2R5',
  patientId: '019f5555-5555-7555-8555-555555555555',
  memberId: '019f6666-6666-7666-8666-666666666666',
  messageId: '019f7777-7777-7777-8777-777777777777',
  conversationId: '019f7777-7777-7777-8777-777777777778',
  pictureId: '019f7777-7777-7777-8777-777777777779',
  visitPictureId: '019f7777-7777-7777-8777-77777777777a',
  visitorToken: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  chatPictureId: '019f7777-7777-7777-8777-77777777777b',
  textId: '019f8888-8888-7888-8888-888888888888',
  colleagueId: '019faaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa',
  invitationId: '019fbbbb-bbbb-7bbb-8bbb-bbbbbbbbbbbb',
  subscriptionId: '019fcccc-cccc-7ccc-8ccc-cccccccccccc',
  definitionId: '019fdddd-dddd-7ddd-8ddd-dddddddddddd',
  submissionId: '019feeee-eeee-7eee-8eee-eeeeeeeeeeee',
  formKey: '2999999999/2026/03/02/019feeee-eeee-7eee-8eee-eeeeeeeeeeef',
  fileId: '019fffff-ffff-7fff-8fff-ffffffffffff',
  identityId: 'IDaaaaaaaaaaaaaaaaaaaaaa',
  shareId: '019f0000-0000-7000-8000-000000000000',
  chargeId: '019f0000-0000-7000-8000-000000000001',
  requestedId: '019f0000-0000-7000-8000-000000000002',
  provedToken: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB',
  unknownId: '019f0000-0000-7000-8000-000000000003',
  withdrawnId: '019f0000-0000-7000-8000-000000000004',
  customerId: 'cus_local_019f0000000070008000000000000001',
  planId: 'sub_local_019f0000000070008000000000000002',
  priceId: 'price_local_pilot_1',
  invoiceId: 'in_local_019f0000000070008000000000000003',
};

/** Fills an office so that every table has rows of it, and each of its words is unique: if one appears elsewhere, it has leaked. */
export async function fillOffice(
  testApp: TestApp,
  mark: string,
  npi: string,
): Promise<TestOffice & { ids: OfficeIds }> {
  const textNumber = `+1646556${npi.slice(-4)}`;
  const office = await testApp.office({
    npi,
    name: `${mark}-office-name`,
    addressLine1: `${mark}-street`,
    city: `${mark}-city`,
    email: `${mark}-office@office.test`,
    textNumber,
    staffName: `${mark}-staff-name`,
    // A price of its own, in cents.
    settings: { formTypes: [`${mark}-form-type`], pilotPrice: `price_local_pilot_${npi.slice(-5)}` },
    queueSettings: { greeting: { en: `${mark}-greeting-en`, es: `${mark}-greeting-es` } },
  });
  const staffEmail = `${mark}-staff@office.test`.toLowerCase();
  const staffPhone = `+1646557${npi.slice(-4)}`;
  for (const [kind, value] of [
    ['email', staffEmail],
    ['phone', staffPhone],
  ] as const)
    await testApp.owner
      .insertInto('auth.identity')
      .values({ id: testApp.services.id(), personId: office.personId, kind, value, verifiedAt: testApp.now() })
      .execute();

  const passkey = {
    passkeyId: testApp.services.id(),
    credentialId: Buffer.from(`${mark}-credential`).toString('base64url'),
  };
  await testApp.owner
    .insertInto('auth.passkey')
    .values({
      id: passkey.passkeyId,
      personId: office.personId,
      credentialId: passkey.credentialId,
      publicKey: hashToken(mark),
      counter: 0,
      name: `${mark}-passkey`,
      synced: false,
      createdAt: testApp.now(),
    })
    .execute();

  const phone = `+1646558${npi.slice(-4)}`;
  const visit = await testApp.visit({
    office,
    phone,
    firstName: `${mark}-first`,
    lastName: `${mark}-last`,
    birthDate: `19${npi.slice(-2)}-07-09`,
    household: [{ firstName: `${mark}-child`, lastName: `${mark}-child-last`, birthDate: `20${npi.slice(-2)}-07-08` }],
  });
  const as = { as: office };
  const key = { as: office, headers: { 'idempotency-key': `${mark}-key` } };
  const say = {
    params: { userCode: visit.patientUserCode },
    body: { title: `${mark}-title`, body: `${mark}-message` },
  };
  await testApp.call(queue.messagePatient, say, key);
  await testApp.call(queue.listQueue, { query: {} }, as);
  const ended = await testApp.visit({ office, firstName: `${mark}-ended`, lastName: `${mark}-gone` });
  for (const [action, notes] of [['INVITED'], ['DOCTOR_CANCELLED', `${mark}-note`]] as const)
    await testApp.call(queue.moveVisit, { body: { id: ended.id, action, ...(notes && { notes }) } }, as);
  await testApp.call(smsCheckin.addCheckin, { body: { phone: `+1646559${npi.slice(-4)}`, text: `${mark}-sms` } }, as);
  await testApp.call(patient.readPatientVisit, { params: { token: visit.token } }, { as: null });

  const colleagueId = await testApp.addStaff(
    { name: `${mark}-colleague`, email: `${mark}-colleague@office.test`.toLowerCase() },
    [office],
  );
  const invited = { email: `${mark}-invited@office.test`.toLowerCase(), name: `${mark}-invited` };
  const { body: invitation } = await testApp.call(team.inviteColleague, { body: invited }, as);
  const money = await addPayments(testApp, office, mark);
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const keys = {
    p256dh: browser.getPublicKey().toString('base64url'),
    auth: hashToken(mark).toString('base64url').slice(0, 22),
  };
  const wish = { endpoint: `https://push.anteroom.test/${mark}-browser`, keys };
  const { body: subscription } = await testApp.call(push.subscribePush, { body: wish }, as);

  const plan = await startPlan(testApp, mark, office);
  await addSignedAgreement(testApp, mark, office);
  const identityId = await addRejectedMerchant(testApp, mark, office);
  const confirmation = {
    officeId: office.id,
    id: testApp.services.id(),
    createdAt: testApp.now(),
    codePhone: staffPhone,
  };
  await testApp.inOffice(office, (tx) => tx.insertInto('officeConfirmation').values(confirmation).execute());
  const filled = await fillForms(testApp, office, mark, visit.token);

  const ids = await testApp.inOffice(office, async (tx) => {
    const { id: officeId } = office;
    const at = testApp.now();
    const optOut = { officeId, id: testApp.services.id(), phone: `+1646550${npi.slice(-4)}`, at };
    await tx.insertInto('optOut').values(optOut).execute();
    const landline = { officeId, id: testApp.services.id(), phone: `+1646551${npi.slice(-4)}`, reportedAt: at };
    await tx.insertInto('landline').values(landline).execute();
    const operation = {
      kind: 'card.customer',
      subject: `${mark}-subject`,
      input: JSON.stringify({ name: `${mark}-customer` }),
    };
    const leaseUntil = new Date(at.getTime() + 60_000 * (mark === 'MAPLE' ? 1 : 2));
    await tx
      .insertInto('providerOperation')
      .values({ officeId, id: testApp.services.id(), ...operation, startedAt: at, leaseUntil })
      .execute();
    const entry = await tx.selectFrom('auditEntry').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow();
    const seal = { officeId, id: 1, entryId: entry.id, hmac: hashToken(mark), sealedAt: at };
    await tx.insertInto('auditSeal').values(seal).execute();
    const text = await tx.selectFrom('text').select('id').where('kind', '=', 'message').executeTakeFirstOrThrow();
    const providerId = `${mark}-provider-id`;
    await tx
      .updateTable('text')
      .set({ providerId })
      .where('officeId', '=', officeId)
      .where('id', '=', text.id)
      .execute();
    const session = await testApp.owner
      .selectFrom('auth.session')
      .select('id')
      .where('personId', '=', office.personId)
      .executeTakeFirstOrThrow();
    const message = await tx
      .selectFrom('message')
      .select(['id', 'conversationId'])
      .where('visitId', '=', visit.id)
      .limit(1)
      .executeTakeFirstOrThrow();
    const person = await tx
      .selectFrom('visit')
      .select('patientId')
      .where('id', '=', visit.id)
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('incomingPicture')
      .values({ officeId, id: message.id, source: `${mark}-source`, dueAt: new Date('2027-01-01') })
      .execute();
    return {
      officeId,
      npi,
      visitId: visit.id,
      userCode: visit.patientUserCode,
      dateTime: visit.createdAt,
      phone,
      token: visit.token,
      staffEmail,
      staffPhone,
      textNumber,
      providerId,
      personId: office.personId,
      sessionId: session.id,
      ...passkey,
      patientId: person.patientId,
      messageId: message.id,
      conversationId: message.conversationId,
      textId: text.id,
      colleagueId,
      invitationId: invitation.id,
      subscriptionId: subscription.id,
      identityId,
      ...filled,
      ...money,
      ...plan,
    };
  });
  const pictureId = await sendPicture(testApp, office, mark, ids.userCode);
  const chat = await startChat(testApp, office, mark);
  return { ...office, ids: { ...ids, pictureId, ...chat } satisfies OfficeIds };
}

/** A website chat with a visitor who gave a name and sent a picture. */
async function startChat(testApp: TestApp, office: TestOffice, mark: string) {
  const settings = {
    chatEnabled: true,
    origins: [`https://${mark}.test`.toLowerCase()],
    color: '#0f5f8c',
    greeting: { en: `${mark}-chat-greeting-en`, es: `${mark}-chat-greeting-es` },
    hours: null,
  };
  await testApp.call(featureRequests.requestFeature, { body: { feature: 'chat' } }, { as: office });
  await testApp.call(chatSettings.saveChatSettings, { body: settings }, { as: office });
  const asked = {
    params: { npi: office.npi },
    body: { consent: true, language: 'en', name: `${mark}-visitor` },
  } as const;
  const { token } = (await testApp.call(websiteChat.startChat, asked, { as: null })).body;
  const { body: sent } = await sendVisitorForm(
    testApp,
    { clientId: `${mark}-client`, body: `${mark}-chat-words` },
    { attachment: await photo(), token },
  );
  return { visitorToken: token, chatPictureId: sent.picture?.id ?? '' };
}

/** Sends a picture to a patient; returns its id. */
async function sendPicture(testApp: TestApp, office: TestOffice, mark: string, userCode: string): Promise<string> {
  const target = { body: { targetUserCode: userCode } };
  const { body: conversation } = await testApp.call(chatConversations.openChatConversation, target, { as: office });
  const { body: sent } = await sendForm(
    testApp,
    `/chat-conversation/${conversation.conversationId}/messages`,
    { type: 'image', body: `Picture ${mark}` },
    { attachment: await photo(), as: office },
  );
  return sent.objectKey ?? '';
}

/** Payments of each kind that a call can name, with a refund, a ledger entry and a recording. */
async function addPayments(testApp: TestApp, office: TestOffice, mark: string) {
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
  return {
    chargeId: charged.id,
    requestedId: requested.id,
    unknownId: unknown.id,
    withdrawnId: withdrawn.id,
    provedToken: await testApp.provedToken(requested.visitId, office),
    visitPictureId: await sendPicture(testApp, office, mark, visits[1]?.patientUserCode ?? ''),
  };
}
type NewPayment = Omit<Insertable<DB['payment']>, 'state'> & { id: string; visitId: string };

/** A plan with a card and an invoice at the card provider, and an event about them. */
async function startPlan(testApp: TestApp, mark: string, office: TestOffice) {
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

/** An agreement with its file, an event and a reminder that was sent before it was signed. */
async function addSignedAgreement(testApp: TestApp, mark: string, office: TestOffice): Promise<void> {
  const { storage } = testApp.services.providers;
  const at = testApp.now();
  const key = newFileKey(testApp.services, office.npi);
  const file = await storage.put(key, Buffer.from(`%PDF-1.7 ${mark}-document`), { contentType: 'application/pdf' });
  const officeId = office.id;
  const agreementId = testApp.services.id();
  await testApp.inOffice(office, async (tx) => {
    await tx
      .insertInto('agreement')
      .values({
        officeId,
        id: agreementId,
        version: '2026-03',
        state: 'signed',
        provider: 'local',
        requestId: `${mark}-request`,
        signatureId: `${mark}-signature`,
        signerName: `${mark}-signer`,
        signerEmail: `${mark}-signer@office.test`,
        askedBy: office.personId,
        askedAt: at,
        signedAt: at,
        fileKey: key,
        fileSha256: file.sha256,
        fileBytes: file.bytes,
      })
      .execute();
    await addToDirectory(tx, { officeId, kind: 'agreement', key: `local ${mark}-request` });
    const event = {
      officeId,
      id: testApp.services.id(),
      agreementId,
      key: `${mark}-event`,
      type: `${mark}-signed`,
      at,
    };
    await tx.insertInto('agreementEvent').values(event).execute();
    const reminder = { number: 1, toEmail: `${mark}-reminded@office.test`, claimedAt: at, leaseUntil: at, sentAt: at };
    await tx
      .insertInto('agreementReminder')
      .values({ officeId, id: testApp.services.id(), ...reminder })
      .execute();
  });
}

/** An application for card payments that was not approved, so that the office can begin another one; returns its identity. */
async function addRejectedMerchant(testApp: TestApp, mark: string, office: TestOffice): Promise<string> {
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

/** A form of the office's own, filled with a photo, submitted, listed and shared. */
async function fillForms(testApp: TestApp, office: TestOffice, mark: string, token: string) {
  const as = { as: office };
  const own = { ...arrivalForm, title: `${mark}-form`, description: `${mark}-form-description` };
  const definitionId = (await requestForms(testApp, office, [own]))['arrival'] ?? '';
  const visibleName = { en: `${mark}-visible`, es: `${mark}-visible-es` };
  await testApp.call(
    formsSettings.saveFormSettings,
    { body: { forms: [formSetting('arrival', { visibleName })] } },
    as,
  );
  const phone = openVisitPhone(testApp, token);
  const memberId = await phone.first();
  const { body: card } = await phone.upload(await photo());
  const answers = {
    ...arrivalAnswers,
    reason: [`${mark}-reason`],
    card: [{ contentType: 'image/jpeg', url: card.url }],
    sign: [{ contentType: 'text/plain', title: `${mark}-signed` }],
  };
  await phone.save(memberId, { definitionId, answers });
  const { body: submitted } = await phone.submit(memberId, 1);
  const { body: list } = await testApp.call(formsDesk.listFormPaths, { query: { patientName: mark } }, as);
  const wish = { sharedWith: `${mark}-school`, submissionIds: [submitted.submissionId] };
  const { body: shared } = await testApp.call(sharing.makeShare, { params: { token }, body: wish }, { as: null });
  const shareToken = new URL(shared.url).searchParams.get('token') ?? '';
  const file = { token: shareToken, id: submitted.submissionId };
  await testApp.call(sharing.openSharedForm, { query: file }, { as: null });
  const headers = { 'user-agent': `${mark}-browser-of-the-school` };
  await testApp.call(sharing.readSharedForms, { query: { token: shareToken } }, { as: null, headers });
  return {
    memberId,
    definitionId,
    submissionId: submitted.submissionId,
    formKey: list.forms[0]?.objectKey ?? '',
    fileId: card.fileId,
    shareId: shared.share.id,
  };
}
