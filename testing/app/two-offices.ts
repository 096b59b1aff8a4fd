import { createECDH } from 'node:crypto';
import { chatSettings, featureRequests, patient, push, queue, smsCheckin, team, websiteChat } from '#contract/index.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { newFileKey } from '#server/providers/storage/port.ts';
import { photo } from '#testing/fixtures/forms.ts';
import { sendVisitorForm } from '#testing/fixtures/pictures.ts';
import type { OfficeIds } from './office-ids.ts';
import { addPayments, addRejectedMerchant, startPlan } from './office-money.ts';
import { fillForms } from './office-forms.ts';
import { fillEpisode } from './office-episodes.ts';
import { sendPicture } from './office-pictures.ts';
import type { TestApp, TestOffice } from './test-app.ts';

export { foreignIds, type OfficeIds } from './office-ids.ts';

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
  const signIn = await addSignInMethods(testApp, mark, office);
  const { phone, visit } = await addVisits(testApp, mark, office);
  const as = { as: office };
  const colleagueId = await testApp.addStaff(
    { name: `${mark}-colleague`, email: `${mark}-colleague@office.test`.toLowerCase() },
    [office],
  );
  const invited = { email: `${mark}-invited@office.test`.toLowerCase(), name: `${mark}-invited` };
  const { body: invitation } = await testApp.call(team.inviteColleague, { body: invited }, as);
  const money = await addPayments(testApp, office, mark);
  const subscriptionId = await subscribeToPush(testApp, mark, office);

  const plan = await startPlan(testApp, mark, office);
  await addSignedAgreement(testApp, mark, office);
  const identityId = await addRejectedMerchant(testApp, mark, office);
  const confirmation = {
    officeId: office.id,
    id: testApp.services.id(),
    createdAt: testApp.now(),
    codePhone: signIn.staffPhone,
  };
  await testApp.inOffice(office, (tx) => tx.insertInto('officeConfirmation').values(confirmation).execute());
  const filled = await fillForms(testApp, office, mark, visit.token);

  const rows = await testApp.inOffice(office, (tx) => addOtherRows(tx, testApp, mark, office, visit.id));
  const pictureId = await sendPicture(testApp, office, mark, visit.patientUserCode);
  const chat = await startChat(testApp, office, mark);
  const episode = await fillEpisode(testApp, office, mark);
  const ids: OfficeIds = {
    officeId: office.id,
    npi,
    visitId: visit.id,
    userCode: visit.patientUserCode,
    dateTime: visit.createdAt,
    phone,
    token: visit.token,
    textNumber,
    personId: office.personId,
    colleagueId,
    invitationId: invitation.id,
    subscriptionId,
    identityId,
    pictureId,
    ...signIn,
    ...rows,
    ...filled,
    ...money,
    ...plan,
    ...chat,
    ...episode,
  };
  return { ...office, ids };
}

/** Another email address, a phone number and a passkey of its member, and the member's session. */
async function addSignInMethods(testApp: TestApp, mark: string, office: TestOffice) {
  const staffEmail = `${mark}-staff@office.test`.toLowerCase();
  const staffPhone = `+1646557${office.npi.slice(-4)}`;
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
  const session = await testApp.owner
    .selectFrom('auth.session')
    .select('id')
    .where('personId', '=', office.personId)
    .executeTakeFirstOrThrow();
  return { staffEmail, staffPhone, sessionId: session.id, ...passkey };
}

/** A visit with a household, messages and an SMS check-in, and another one that has ended. */
async function addVisits(testApp: TestApp, mark: string, office: TestOffice) {
  const { npi } = office;
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
  return { phone, visit };
}

async function subscribeToPush(testApp: TestApp, mark: string, office: TestOffice): Promise<string> {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const keys = {
    p256dh: browser.getPublicKey().toString('base64url'),
    auth: hashToken(mark).toString('base64url').slice(0, 22),
  };
  const wish = { endpoint: `https://push.anteroom.test/${mark}-browser`, keys };
  const { body: subscription } = await testApp.call(push.subscribePush, { body: wish }, { as: office });
  return subscription.id;
}

/** Rows of the tables that no call above fills, and the ids of some rows that one filled. */
async function addOtherRows(
  tx: Tx,
  testApp: TestApp,
  mark: string,
  { id: officeId, npi }: TestOffice,
  visitId: string,
) {
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
  const link = { officeId, id: 1, entryId: entry.id, hmac: hashToken(mark), sealedAt: at };
  await tx.insertInto('auditSeal').values(link).execute();
  const text = await tx.selectFrom('text').select('id').where('kind', '=', 'message').executeTakeFirstOrThrow();
  const providerId = `${mark}-provider-id`;
  // As if it were the only text of a send with the same id.
  const columns = { providerId, sendId: text.id };
  await tx.updateTable('text').set(columns).where('officeId', '=', officeId).where('id', '=', text.id).execute();
  const message = await tx
    .selectFrom('message')
    .select(['id', 'conversationId'])
    .where('visitId', '=', visitId)
    .limit(1)
    .executeTakeFirstOrThrow();
  const person = await tx.selectFrom('visit').select('patientId').where('id', '=', visitId).executeTakeFirstOrThrow();
  await tx
    .insertInto('incomingPicture')
    .values({ officeId, id: message.id, source: `${mark}-source`, dueAt: new Date('2027-01-01') })
    .execute();
  return {
    providerId,
    patientId: person.patientId,
    messageId: message.id,
    conversationId: message.conversationId,
    textId: text.id,
  };
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
  const { conversationId: chatId } = await testApp.inOffice(office, (tx) =>
    tx
      .selectFrom('visitor')
      .select('conversationId')
      .where('officeId', '=', office.id)
      .where('tokenHash', '=', hashToken(token))
      .executeTakeFirstOrThrow(),
  );
  return { chatId, visitorToken: token, chatPictureId: sent.picture?.id ?? '' };
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
