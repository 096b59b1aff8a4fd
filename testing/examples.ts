import type { Ids } from './two-offices.ts';

/** One way to make a call: path parameters, query, body. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
}

interface Way {
  /** Calls that would do their work if their ids are the caller's. Several where an id can be named in several ways. */
  ways: (ids: Ids) => Example[];
  /** Anyone may name any office here: its public face is shown, and a patient's own arrival is written. */
  publicDoor?: true;
}

const arrival = {
  firstName: 'Ada',
  lastName: 'Byron',
  birthDate: '1990-12-10',
  household: [{ firstName: 'Allegra', lastName: 'Byron', birthDate: null }],
  language: 'en',
};
const nothing = { ways: () => [{}] };

/**
 * Example inputs of every endpoint, by operationId: what the tenancy test and the generated API test start from. An endpoint that
 * is not here fails both.
 */
export const examples: Record<string, Way> = {
  searchAddresses: { ways: () => [{ query: { searchString: 'maple street' } }] },

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

  skipPayments: nothing,
  openMerchantForms: nothing,

  readConfig: nothing,
  readPublicConfig: nothing,
  readOfficeNpi: nothing,
  readPoster: nothing,
  readQueueSettings: nothing,
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
  updateCheckin: { ways: (ids) => [{ body: { id: ids.visitId, status: 'ENTER' } }] },
  reinviteCheckin: { ways: (ids) => [{ body: { id: ids.visitId } }] },

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

  reportText: {
    ways: (ids) => [{ body: { providerId: ids.providerId, reference: ids.textId, state: 'delivered' } }],
  },
  receiveText: {
    ways: (ids) => [{ body: { providerId: 'SM1', from: ids.phone, to: ids.textNumber, body: 'Here now' } }],
  },
};
