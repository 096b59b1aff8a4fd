import { Readable } from 'node:stream';
import sharp from 'sharp';
import type { Actor, Services } from '#server/context.ts';
import { savePhoto, saveVisitForm, submitVisitForm, visitForms } from '#server/features/forms/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { dayOf } from '#server/kit/day.ts';
import { asOffice } from '#server/kit/db/db.ts';

const patient: Actor = { kind: 'patient', id: null, name: null };
const all = ['insurance-card', 'photo-id', 'health-history', 'covid-screening', 'consent'];

/** How far a morning's first patients are with their forms; the others have not begun. */
export interface FilledMorning {
  filledBy: string[][];
  /** The patient whose screening results in Review, counted from 0. */
  hasCough: number;
}

export const mapleForms: FilledMorning = {
  filledBy: [
    all,
    all,
    all,
    all,
    all,
    all,
    all.slice(0, 4),
    all.slice(0, 3),
    ['insurance-card', 'covid-screening'],
    ['covid-screening'],
  ],
  hasCough: 8,
};

export const harborForms: FilledMorning = {
  filledBy: [
    ['covid-screening'],
    [],
    ['covid-screening', 'consent'],
    [],
    ['insurance-card'],
    ['covid-screening'],
    [],
    ['photo-id'],
    ['health-history', 'covid-screening'],
    ['covid-screening'],
    ['covid-screening'],
  ],
  hasCough: 5,
};

/** Fills the forms of one of today's visits through the real functions; true if more may be left. */
export async function fillForms(
  services: Services,
  officeId: string,
  timeZone: string,
  { filledBy, hasCough }: FilledMorning,
): Promise<boolean> {
  const day = dayOf(services.now(), timeZone);
  const visits = await asOffice(services.db, officeId, (tx) =>
    tx
      .selectFrom('visit')
      .select(['id', 'firstName', 'lastName', 'arrivedAt'])
      .where('officeId', '=', officeId)
      .where('day', '=', day)
      .where('arrivedAt', 'is not', null)
      .orderBy('arrivedAt')
      .orderBy('id')
      .limit(filledBy.length)
      .execute(),
  );
  for (const [i, visit] of visits.entries()) {
    // A few minutes after they arrived, but not later than now.
    const at = new Date(Math.min(services.now().getTime(), (visit.arrivedAt ?? services.now()).getTime() + 4 * 60_000));
    const office = officeScope({ ...services, now: () => at, auditNow: services.now }, officeId, patient, 'demo');
    const link = await office.transaction((tx) =>
      tx
        .selectFrom('visitToken')
        .select(['id', 'proved'])
        .where('officeId', '=', officeId)
        .where('visitId', '=', visit.id)
        .executeTakeFirstOrThrow(),
    );
    const scope = { ...office, visitId: visit.id, tokenId: link.id, proved: link.proved };
    const { members } = await scope.transaction((tx) => visitForms(tx, scope));
    const missing = members.flatMap(({ memberId, name, forms }) =>
      forms
        .filter(({ formType, state }) => state === 'missing' && filledBy[i]?.includes(formType))
        .map(({ formType, definitionId }) => ({ memberId, name, formType, definitionId })),
    );
    if (missing.length === 0) continue;
    const phoneHolder = `${visit.firstName} ${visit.lastName}`;
    for (const { memberId, name, formType, definitionId } of missing) {
      const answers = await answersOf(formType, { name, phoneHolder, hasCough: i === hasCough }, async (title) =>
        savePhoto(scope, 'photo', {
          body: Readable.from([await card(title, name)]),
          length: 0,
          address: '127.0.0.1',
        }),
      );
      if (!answers) continue;
      await saveVisitForm(scope, { memberId, formType }, { definitionId, version: 0, page: 0, answers });
      await submitVisitForm(scope, { memberId, formType }, 1);
    }
    return true;
  }
  return false;
}

type Picture = { contentType: string; url: string; size: number };

async function answersOf(
  formType: string,
  { name, phoneHolder, hasCough }: { name: string; phoneHolder: string; hasCough: boolean },
  photo: (title: string) => Promise<Picture>,
): Promise<Record<string, unknown[]> | null> {
  const isSelf = name === phoneHolder;
  const picture = async (title: string) => {
    const { contentType, url, size } = await photo(title);
    return [{ contentType, url, size }];
  };
  const chosen = (...codes: string[]) => codes.map((code) => ({ code }));
  switch (formType) {
    case 'insurance-card':
      return {
        insured: chosen('card-here'),
        'card-front': await picture('INSURANCE CARD'),
        'card-back': await picture('INSURANCE CARD, BACK'),
        company: ['Sample Health Plan'],
        'member-id': ['SHP 0042 1187'],
        relationship: chosen(isSelf ? 'self' : 'parent'),
        ...(!isSelf && { 'subscriber-name': [phoneHolder], 'subscriber-birth-date': ['1986-05-04'] }),
        'has-second': [false],
      };
    case 'photo-id':
      return {
        whose: chosen(isSelf ? 'patient' : 'guardian'),
        kind: chosen('passport'),
        'name-on-id': [phoneHolder],
        'id-front': await picture('PASSPORT'),
      };
    case 'health-history':
      return {
        'for-whom': chosen(isSelf ? 'adult' : 'child'),
        reason: [isSelf ? 'Sore throat since Sunday' : 'Yearly check-up'],
        'has-allergies': chosen('no'),
        'takes-medicines': chosen('no'),
        condition: chosen('none'),
        'had-surgery': [false],
        'family-condition': chosen('none'),
        ...(isSelf
          ? {
              tobacco: chosen('never'),
              alcohol: chosen('monthly'),
              sex: chosen('undisclosed'),
              pregnant: chosen('does-not-apply'),
            }
          : { vaccines: chosen('yes'), 'born-early': [false] }),
        'address-line': ['212 Clinton Street'],
        'address-city': ['Brooklyn'],
        'address-state': chosen('NY'),
        'address-zip': ['11201'],
        'emergency-name': ['Alex Morgan'],
        'emergency-phone': ['(718) 555-0142'],
      };
    case 'covid-screening':
      return {
        symptoms: hasCough ? chosen('cough', 'throat') : chosen('none'),
        positive: [false],
        waiting: [false],
        contact: chosen(hasCough ? 'not-sure' : 'no'),
      };
    case 'consent':
      return {
        'treatment-agree': chosen('agree'),
        'payment-agree': chosen('agree'),
        'privacy-agree': chosen('agree'),
        messages: chosen('yes'),
        signer: chosen(isSelf ? 'patient' : 'parent'),
        'signer-name': [phoneHolder],
        signature: [{ contentType: 'text/plain', title: phoneHolder }],
      };
    default:
      return null;
  }
}

/** A made-up card, drawn, and labeled as a sample. */
async function card(title: string, name: string): Promise<Buffer> {
  const safe = (text: string) => text.replace(/[<>&]/g, ' ');
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="630">
    <rect width="1000" height="630" rx="40" fill="#e7eef7"/><rect width="1000" height="130" rx="40" fill="#2f6f8f"/>
    <g font-family="sans-serif" fill="#20303c"><text x="60" y="86" font-size="52" fill="#fff">${safe(title)}</text>
    <text x="60" y="270" font-size="54">${safe(name)}</text><text x="60" y="370" font-size="40">Member ID SHP 0042 1187</text>
    <text x="60" y="560" font-size="34" fill="#5a6a76">Sample. Not a real card, not a real person.</text></g></svg>`;
  return sharp(Buffer.from(drawing)).jpeg({ quality: 80 }).toBuffer();
}
