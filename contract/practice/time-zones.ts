/** The time zones an office can have, and the most likely one for an address. */
import type { Translations } from '#contract/shapes.ts';

/** One name for each time zone in use; areas that changed clocks together since 2007 share one. */
export const timeZones: Readonly<Record<string, Translations>> = {
  'America/New_York': { en: 'Eastern Time', es: 'Hora del Este' },
  'America/Chicago': { en: 'Central Time', es: 'Hora Central' },
  'America/Denver': { en: 'Mountain Time', es: 'Hora de la Montaña' },
  'America/Phoenix': { en: 'Mountain Time, no daylight saving', es: 'Hora de la Montaña, sin horario de verano' },
  'America/Los_Angeles': { en: 'Pacific Time', es: 'Hora del Pacífico' },
  'America/Anchorage': { en: 'Alaska Time', es: 'Hora de Alaska' },
  'America/Adak': { en: 'Aleutian Islands', es: 'Islas Aleutianas' },
  'Pacific/Honolulu': { en: 'Hawaii Time', es: 'Hora de Hawái' },
  'America/Puerto_Rico': { en: 'Atlantic Time (Puerto Rico)', es: 'Hora del Atlántico (Puerto Rico)' },
  'Pacific/Guam': { en: 'Chamorro Time (Guam)', es: 'Hora Chamorro (Guam)' },
  'Pacific/Pago_Pago': { en: 'Samoa Time', es: 'Hora de Samoa' },
  'Pacific/Palau': { en: 'Palau', es: 'Palaos' },
  'Pacific/Chuuk': { en: 'Chuuk and Yap', es: 'Chuuk y Yap' },
  'Pacific/Pohnpei': { en: 'Pohnpei', es: 'Pohnpei' },
  'Pacific/Kosrae': { en: 'Kosrae', es: 'Kosrae' },
  'Pacific/Majuro': { en: 'Marshall Islands', es: 'Islas Marshall' },
};

const eastern = 'America/New_York';
const central = 'America/Chicago';
const mountain = 'America/Denver';
const pacific = 'America/Los_Angeles';

/** The time zone of most of a state. */
const ofState: Readonly<Record<string, string>> = {
  ...toAll(eastern, 'CT DE DC FL GA IN KY ME MD MA MI NH NJ NY NC OH PA RI SC VT VA WV'),
  ...toAll(central, 'AL AR IL IA KS LA MN MS MO NE ND OK SD TN TX WI'),
  ...toAll(mountain, 'CO ID MT NM UT WY'),
  ...toAll(pacific, 'CA NV OR WA'),
  AZ: 'America/Phoenix',
  AK: 'America/Anchorage',
  HI: 'Pacific/Honolulu',
  PR: 'America/Puerto_Rico',
  VI: 'America/Puerto_Rico',
  GU: 'Pacific/Guam',
  MP: 'Pacific/Guam',
  AS: 'Pacific/Pago_Pago',
  PW: 'Pacific/Palau',
  FM: 'Pacific/Pohnpei',
  MH: 'Pacific/Majuro',
};

/** For states with two time zones: the ZIP code prefixes in the other one. The longest prefix wins. */
const ofZip: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AK: toAll('America/Adak', '99546 99547'),
  FL: { ...toAll(central, '324 325'), ...toAll(eastern, '32456') },
  FM: { ...toAll('Pacific/Chuuk', '96942 96943'), ...toAll('Pacific/Kosrae', '96944') },
  ID: toAll(pacific, '835 838'),
  IN: toAll(central, '463 464 46534 476 477 47586'),
  KS: toAll(mountain, '67735 67758 67761 67762 67857 67878 67879'),
  KY: toAll(central, '420 421 422 423 424 42602 42629 42642 42721 42728 42743 42754 42765'),
  MI: toAll(central, '49801 49802 49858 49870 49887 49892 49911 49920 49935 49938 49947 49968 49969'),
  NE: { ...toAll(mountain, '691 693 69021 69033'), ...toAll(central, '69101 69103') },
  NV: toAll(mountain, '89883'),
  ND: toAll(mountain, '586'),
  OR: toAll(mountain, '979'),
  SD: { ...toAll(mountain, '576 577 57543 57551 57552 57567'), ...toAll(central, '57601 57632 57646 57648') },
  TN: {
    ...toAll(eastern, '373 374 376 377 378 379'),
    ...toAll(central, '37324 37327 37330 37334 37347 37355 37356 37367 37375 37380 37388 37397 37398'),
  },
  TX: toAll(mountain, '79821 79835 79836 79837 79838 79839 79849 79851 79853 799 885'),
};

function toAll(zone: string, codes: string): Record<string, string> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, zone]));
}

/** The most likely time zone at this address, by ZIP code if the state has two; null for an unknown state. */
export function timeZoneOf({ state, zip }: { state: string; zip: string }): string | null {
  const byZip = Object.hasOwn(ofZip, state) ? ofZip[state] : undefined;
  for (const length of byZip ? [5, 3] : []) {
    const begins = zip.slice(0, length);
    if (byZip && Object.hasOwn(byZip, begins)) return byZip[begins] ?? null;
  }
  return Object.hasOwn(ofState, state) ? (ofState[state] ?? null) : null;
}
