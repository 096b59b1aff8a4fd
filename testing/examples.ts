import type { Ids } from './two-offices.ts';

/** One way to make a call: path parameters, query, body. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
  /** A file instead of a JSON body. */
  raw?: { type: string; bytes: Buffer };
}

interface Way {
  /** Calls that would do their work if their ids are the caller's. Several where an id can be named in several ways. */
  ways: (ids: Ids) => Example[];
  /** Anyone may name any office here: its public face is shown, and a patient's own arrival is written. */
  publicDoor?: true;
  /** No two answers are the same by nature: a new secret, what is left of a list. */
  varies?: true;
}

const arrival = {
  firstName: 'Ada',
  lastName: 'Byron',
  birthDate: '1990-12-10',
  household: [{ firstName: 'Allegra', lastName: 'Byron', birthDate: null }],
  language: 'en',
};
const partnerDetails = (email: string) => ({
  addressLine1: '7 Birch Lane',
  city: 'Albany',
  state: 'NY',
  zip: '12207',
  name: 'Birch Pediatrics',
  email,
  emr: 'Epic',
  isChadisOnboarding: true,
});
const practice = {
  addressLine1: '1 Elm Street',
  city: 'Troy',
  state: 'NY',
  zip: '12180',
  name: 'Elm Clinic',
  email: 'Front@Elm.test',
  itContact: 'it@elm.test',
  emr: 'N/A',
  patientSize: '1-500',
  agesTreated: ['Children'],
};
const smallPhoto = Buffer.from(
  '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAIAAgDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAVAQEBAAAAAAAAAAAAAAAAAAACBf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AAApT//Z',
  'base64',
);
const nothing = { ways: () => [{}] };
const newCredential = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
};
const signedBy = (id: string) => ({
  id,
  rawId: id,
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
});

const mapleDetails = {
  name: 'Maple Street Pediatrics',
  addressLine1: '48 Maple Street',
  city: 'Brooklyn',
  state: 'NY',
  zip: '11201',
  email: 'front@maple.test',
  itContact: 'Ann, (212) 555-0190',
  emr: 'N/A',
  patientSize: '501-1000',
  agesTreated: ['Children'],
  url: 'https://maple.example',
  timeZone: 'America/New_York',
};

/**
 * Example inputs of every endpoint, by operationId: what the tenancy test and the generated API test start from. An endpoint that
 * is not here fails both.
 */
export const examples: Record<string, Way> = {
  searchAddresses: { ways: () => [{ query: { searchString: 'maple street' } }] },

  readAgreement: nothing,
  downloadAgreement: nothing,
  retrieveSigning: {
    ways: (ids) => [
      { params: { esign: 'local' }, body: { officeId: ids.officeId, email: 'owner@maple.test', name: 'Dana' } },
    ],
  },
  confirmSigned: { ways: (ids) => [{ params: { esign: 'local' }, body: { id: ids.officeId } }] },
  hearEsign: { ways: () => [{ params: { esign: 'local' } }] },

  listAudit: {
    ways: (ids) => [
      { query: { visit: ids.visitId, action: 'visit' } },
      { query: { before: '999999999999', action: 'visit', from: '2026-03-01', to: '2026-03-02' } },
    ],
  },

  requestDemo: {
    ways: () => [
      { body: { name: 'Noor Haddad', practice: 'Elm Street Family Care', email: 'noor@elm.test', wish: 'The queue' } },
    ],
  },

  readPartner: { ways: () => [{ params: { partner: 'chadis' } }] },
  startPartnerSignUp: {
    ways: (ids) => [{ params: { partner: 'chadis' }, body: partnerDetails(ids.staffEmail) }],
  },
  resendPartnerCode: { ways: (ids) => [{ params: { partner: 'chadis' }, body: { email: ids.staffEmail } }] },
  confirmPartnerSignUp: {
    ways: (ids) => [
      { params: { partner: 'chadis' }, body: { ...partnerDetails(ids.staffEmail), code: '000000', bearer: true } },
    ],
  },
  readPartnerApplication: { ways: () => [{ params: { partner: 'chadis' } }] },
  savePartnerApplication: {
    ways: (ids) => [{ params: { partner: 'chadis' }, body: partnerDetails(ids.staffEmail) }],
  },
  addPartnerLocation: {
    ways: (ids) => [{ params: { partner: 'chadis' }, body: partnerDetails(ids.staffEmail) }],
  },

  skipPayments: nothing,
  openMerchantForms: nothing,

  readConfig: nothing,
  readPublicConfig: nothing,
  readOfficeNpi: nothing,
  readPoster: nothing,
  readQueueSettings: nothing,
  readOfficeDetails: nothing,
  saveOfficeDetails: { ways: () => [{ body: mapleDetails }] },
  readUnsignedDetails: nothing,
  correctDetails: { ways: () => [{ body: mapleDetails }] },
  readOfficeByNpi: { ways: (ids) => [{ params: { npi: ids.npi } }] },
  readOfficeByUsername: {
    ways: (ids) => [{ params: { username: ids.staffEmail } }, { params: { username: ids.staffPhone } }],
  },
  readUser: { ways: (ids) => [{ params: { username: ids.staffEmail } }, { params: { username: ids.staffPhone } }] },
  saveQueueSettings: {
    ways: () => [
      {
        body: {
          autoInviteEnabled: false,
          autoInviteWaitTime: 900,
          lateMinutes: { WAITING: 10, INVITED: 15, GOING: 40 },
          openingHours: null,
          greeting: { en: 'Hello', es: 'Hola' },
        },
      },
    ],
  },

  readOfficeFront: { publicDoor: true, ways: (ids) => [{ params: { npi: ids.npi } }] },
  checkIn: {
    publicDoor: true,
    ways: (ids) => [{ params: { npi: ids.npi }, body: { ...arrival, phone: '(202) 555-0199' } }],
  },
  forgetVisit: { publicDoor: true, ways: (ids) => [{ params: { npi: ids.npi } }] },
  textVisitLink: { ways: (ids) => [{ params: { token: ids.token } }] },
  readPatientVisit: { ways: (ids) => [{ params: { token: ids.token } }] },
  movePatientVisit: { ways: (ids) => [{ params: { token: ids.token }, body: { action: 'stillWaiting' } }] },
  arriveExpected: { ways: (ids) => [{ params: { token: ids.token }, body: arrival }] },
  setPatientLanguage: { ways: (ids) => [{ params: { token: ids.token }, body: { language: 'es' } }] },

  listQueue: {
    ways: () => [{ query: { includeCancelled: 'true', includeDoctorCancelled: 'true', datetime: '03022026' } }],
  },
  listCheckedIn: { ways: (ids) => [{ params: { npi: ids.npi } }] },
  readVisit: { ways: (ids) => [{ params: { visitId: ids.visitId } }] },
  messagePatient: { ways: (ids) => [{ params: { userCode: ids.userCode }, body: { title: 'Soon', body: 'Come in' } }] },
  moveVisit: {
    ways: (ids) => [
      { body: { id: ids.visitId, version: 1, action: 'INVITED', relatedNpi: ids.npi, patient: 'Ada Byron' } },
      { body: { userCode: ids.userCode, dateTime: ids.dateTime, action: 'DOCTOR_CANCELLED', notes: 'left' } },
    ],
  },

  listSmsCheckins: { ways: (ids) => [{ params: { officeId: ids.officeId } }, { params: { officeId: ids.npi } }] },
  listSmsHistory: {
    ways: (ids) => [
      { params: { officeId: ids.officeId, date: '20260302' } },
      { params: { officeId: ids.npi, date: '20260302' } },
    ],
  },
  addCheckin: {
    ways: (ids) => [
      { body: { phone: '(202) 555-0198', text: 'See you soon', officeId: ids.officeId } },
      { body: { phone: '(202) 555-0197', officeId: ids.npi } },
    ],
  },
  listExpected: { ways: (ids) => [{ params: { officeId: ids.officeId } }, { params: { officeId: ids.npi } }] },
  resendCheckin: { ways: (ids) => [{ body: { id: ids.visitId } }] },
  correctCheckin: { ways: (ids) => [{ body: { id: ids.visitId, phone: '(202) 555-0196' } }] },
  updateCheckin: { ways: (ids) => [{ body: { id: ids.visitId, status: 'ENTER' } }] },
  reinviteCheckin: { ways: (ids) => [{ body: { id: ids.visitId } }] },

  readDraft: nothing,
  saveDraft: { ways: () => [{ params: { formId: 'form-0001' }, body: { name: 'Elm Clinic', isNewAddress: true } }] },
  registerPractice: {
    // An NPI is public, and one that is taken is said to be.
    publicDoor: true,
    ways: (ids) => [
      { params: { formId: 'form-0002' }, body: practice },
      { params: { formId: 'form-0003' }, body: { ...practice, addressLine1: '2 Elm Street', npi: ids.npi } },
      { params: { formId: 'form-0004' }, body: { ...practice, addressId: ids.npi } },
    ],
  },
  registerCustomer: {
    ways: (ids) => [{ params: { formId: 'form-0003' }, body: { strapiId: ids.officeId, errorList: [] } }],
  },
  askToJoin: { publicDoor: true, ways: (ids) => [{ body: { npi: ids.npi } }] },
  createUser: { ways: (ids) => [{ body: { relatedNpi: ids.npi, userType: 'patient', dependents: [] } }] },
  convertToDoctor: { ways: (ids) => [{ body: { npi: ids.npi, visible: true, onboardingType: 'regular' } }] },
  readUserByEmail: { ways: (ids) => [{ params: { email: ids.staffEmail } }] },

  requestCode: { ways: (ids) => [{ body: { email: ids.staffEmail } }, { body: { phone: ids.staffPhone } }] },
  verifyCode: {
    ways: (ids) => [
      { body: { email: ids.staffEmail, code: '000000', bearer: true } },
      { body: { phone: ids.staffPhone, code: '000000' } },
    ],
  },
  readSession: nothing,
  signOut: nothing,
  savePreferences: { ways: () => [{ body: { language: 'es', theme: 'dark', density: 'compact', sound: true } }] },
  stayActive: nothing,
  lockSession: nothing,
  requestUnlockCode: nothing,
  unlockSession: { ways: () => [{ body: { code: '000000' } }] },

  startGoogle: nothing,
  finishGoogle: { ways: () => [{ body: { search: '?code=made-up&state=made-up' } }] },

  refreshSession: nothing,
  listDevices: { varies: true, ...nothing },
  signOutDevice: { varies: true, ways: (ids) => [{ params: { deviceId: ids.sessionId } }] },
  signOutEverywhere: { varies: true, ...nothing },
  readSecurity: nothing,
  startPasskey: { varies: true, ...nothing },
  addPasskey: { ways: () => [{ body: { name: 'Phone', response: newCredential } }] },
  removePasskey: { varies: true, ways: (ids) => [{ params: { passkeyId: ids.passkeyId } }] },
  requestPasskey: nothing,
  verifyPasskey: { ways: (ids) => [{ body: { response: signedBy(ids.credentialId), bearer: true } }] },
  requestUnlockPasskey: nothing,
  unlockWithPasskey: { ways: (ids) => [{ body: { response: signedBy(ids.credentialId) } }] },
  startAuthenticator: { varies: true, ...nothing },
  confirmAuthenticator: { ways: () => [{ body: { code: '000000' } }] },
  renewRecoveryCodes: nothing,
  removeAuthenticator: nothing,
  unlockWithAuthenticator: { ways: () => [{ body: { code: '000000' } }, { body: { code: 'ABCDE-FGHJK' } }] },
  setLockMinutes: { ways: () => [{ body: { minutes: 20 } }] },
  requireAuthenticator: { ways: () => [{ body: { required: false } }] },

  listTeam: nothing,
  inviteColleague: {
    ways: () => [{ body: { email: 'sam@newcomer.test', name: 'Sam' } }, { body: { phone: '(202) 555-0196' } }],
  },
  resendInvitation: { ways: (ids) => [{ params: { invitationId: ids.invitationId } }] },
  revokeInvitation: { ways: (ids) => [{ params: { invitationId: ids.invitationId } }] },
  removeColleague: { ways: (ids) => [{ params: { personId: ids.colleagueId } }] },
  // The token is a secret of 192 bits, like that of a visit's link: whoever has it may know what it opens.
  readInvitation: { ways: () => [{ params: { token: 'B'.repeat(32) } }] },
  acceptInvitation: { ways: () => [{ params: { token: 'B'.repeat(32) } }] },
  joinOffice: { ways: (ids) => [{ params: { invitationId: ids.invitationId } }] },
  declineInvitation: { ways: (ids) => [{ params: { invitationId: ids.invitationId } }] },

  readConfirmation: nothing,
  sendConfirmationCode: nothing,
  confirmByCode: { ways: () => [{ body: { code: '000000' } }] },

  readSupport: nothing,
  writeToSupport: { ways: () => [{ body: { replyTo: 'dana@maple.test', body: 'The poster does not print.' } }] },

  readPush: nothing,
  subscribePush: {
    ways: () => [
      {
        body: {
          endpoint: 'https://push.anteroom.test/example',
          keys: {
            p256dh: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
            auth: 'A'.repeat(22),
          },
        },
      },
    ],
  },
  unsubscribePush: { ways: (ids) => [{ params: { subscriptionId: ids.subscriptionId } }] },
  tryPush: { ways: (ids) => [{ params: { subscriptionId: ids.subscriptionId } }] },

  listVisitForms: { ways: (ids) => [{ params: { token: ids.token } }] },
  readVisitForm: { ways: (ids) => [{ params: { token: ids.token, memberId: ids.memberId, formType: 'arrival' } }] },
  saveVisitForm: {
    ways: (ids) => [
      {
        params: { token: ids.token, memberId: ids.memberId, formType: 'arrival' },
        body: {
          definitionId: ids.definitionId,
          version: 0,
          page: 1,
          answers: { reason: ['Cough'], allergy: [false], sign: [{ contentType: 'text/plain', title: 'Ada' }] },
          amend: true,
        },
      },
    ],
  },
  submitVisitForm: {
    ways: (ids) => [
      { params: { token: ids.token, memberId: ids.memberId, formType: 'arrival' }, body: { version: 1 } },
    ],
  },
  openVisitForm: { ways: (ids) => [{ params: { token: ids.token, memberId: ids.memberId, formType: 'arrival' } }] },
  uploadFormPhoto: {
    ways: (ids) => [
      { params: { token: ids.token }, query: { kind: 'photo' }, raw: { type: 'image/jpeg', bytes: smallPhoto } },
    ],
  },
  readFormPhoto: { ways: (ids) => [{ params: { token: ids.token, fileId: ids.fileId } }] },

  listFormPaths: {
    ways: () => [
      {},
      { query: { formType: 'arrival', startDate: '2026-03-01', endDate: '03022026', patientName: 'm', page: '1' } },
    ],
  },
  searchForms: {
    ways: () => [
      { body: {} },
      { body: { formType: 'arrival', startDate: '2026-03-01', endDate: '03022026', patientName: 'm', page: '1' } },
    ],
  },
  listUserForms: {
    ways: (ids) => [
      { query: { userCode: ids.userCode, npi: ids.npi } },
      { query: { userCode: ids.userCode, npi: ids.npi, dateTime: ids.dateTime } },
    ],
  },
  listFormFiles: { ways: (ids) => [{ query: { prefix: ids.npi, bucket: ids.npi } }] },
  readFormUrl: { ways: (ids) => [{ query: { key: ids.formKey, bucket: ids.npi } }] },
  downloadForm: { ways: (ids) => [{ query: { key: ids.formKey, bucket: ids.officeId } }] },
  bulkDownloadForms: { ways: (ids) => [{ body: { forms: [ids.formKey], bucket: ids.npi } }] },
  askForForm: { ways: (ids) => [{ params: { visitId: ids.visitId }, body: { formType: 'arrival' } }] },
  readFormSettings: nothing,
  saveFormSettings: {
    ways: () => [
      {
        body: { forms: [{ enabled: true, type: 'arrival', day: null, visibleName: { en: 'Form', es: 'Formulario' } }] },
      },
    ],
  },
  loadForm: {
    ways: () => [
      {
        body: {
          text: JSON.stringify({
            resourceType: 'Questionnaire',
            id: 'small',
            title: 'Small',
            status: 'active',
            item: [{ linkId: '1', type: 'string', text: 'Why?' }],
          }),
          check: true,
        },
      },
    ],
  },
  readForm: { ways: (ids) => [{ params: { definitionId: ids.definitionId } }] },
  chooseFormVersion: { ways: () => [{ params: { formType: 'arrival' }, body: { version: 1 } }] },

  listShares: { ways: (ids) => [{ params: { token: ids.token } }] },
  makeShare: {
    ways: (ids) => [
      {
        params: { token: ids.token },
        body: { sharedWith: 'Elm School', submissionIds: [ids.submissionId], hours: 24 },
      },
    ],
  },
  revokeShare: { ways: (ids) => [{ params: { token: ids.token, shareId: ids.shareId } }] },
  listFormShares: { ways: (ids) => [{ query: { key: ids.formKey } }] },
  endShare: { ways: (ids) => [{ params: { shareId: ids.shareId } }] },
  // Like an invitation's: a secret of 192 bits opens what it was made for.
  readSharedForms: { ways: (ids) => [{ query: { token: 'B'.repeat(32), office: ids.npi } }] },
  openSharedForm: { ways: (ids) => [{ query: { token: 'B'.repeat(32), id: ids.submissionId, office: ids.npi } }] },

  reportText: {
    ways: (ids) => [{ body: { providerId: ids.providerId, reference: ids.textId, state: 'delivered' } }],
  },
  receiveText: {
    ways: (ids) => [{ body: { providerId: 'SM1', from: ids.phone, to: ids.textNumber, body: 'Here now' } }],
  },
};
