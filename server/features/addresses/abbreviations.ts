import { lettersApart } from './typos.ts';

/** Long forms and their abbreviations. Both the query and the index use the abbreviation. */
const abbreviations: Record<string, string> = {
  avenue: 'ave',
  av: 'ave',
  aven: 'ave',
  avn: 'ave',
  street: 'st',
  str: 'st',
  strt: 'st',
  saint: 'st',
  sainte: 'ste',
  suite: 'ste',
  drive: 'dr',
  drv: 'dr',
  doctor: 'dr',
  boulevard: 'blvd',
  boul: 'blvd',
  road: 'rd',
  lane: 'ln',
  court: 'ct',
  crt: 'ct',
  place: 'pl',
  plaza: 'plz',
  parkway: 'pkwy',
  pkway: 'pkwy',
  pky: 'pkwy',
  highway: 'hwy',
  hiway: 'hwy',
  hway: 'hwy',
  circle: 'cir',
  square: 'sq',
  terrace: 'ter',
  terr: 'ter',
  trail: 'trl',
  turnpike: 'tpke',
  expressway: 'expy',
  freeway: 'fwy',
  alley: 'aly',
  building: 'bldg',
  floor: 'fl',
  room: 'rm',
  apartment: 'apt',
  department: 'dept',
  route: 'rte',
  crossing: 'xing',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  northeast: 'ne',
  northwest: 'nw',
  southeast: 'se',
  southwest: 'sw',
  mount: 'mt',
  mountain: 'mtn',
  fort: 'ft',
  heights: 'hts',
  junction: 'jct',
  springs: 'spgs',
  beach: 'bch',
  first: '1st',
  second: '2nd',
  third: '3rd',
  fourth: '4th',
  fifth: '5th',
  sixth: '6th',
  seventh: '7th',
  eighth: '8th',
  ninth: '9th',
  tenth: '10th',
  center: 'ctr',
  centre: 'ctr',
  cntr: 'ctr',
  centers: 'ctrs',
  associates: 'assoc',
  assocs: 'assoc',
  associate: 'assoc',
  group: 'grp',
  hospital: 'hosp',
  medical: 'med',
  pediatrics: 'peds',
  pediatric: 'peds',
  paediatrics: 'peds',
  ped: 'peds',
  physicians: 'phys',
  physician: 'phys',
  services: 'svcs',
  service: 'svcs',
  svc: 'svcs',
  company: 'co',
  corporation: 'corp',
  incorporated: 'inc',
  limited: 'ltd',
  university: 'univ',
  community: 'cmnty',
  health: 'hlth',
  healthcare: 'hlthcare',
  orthopedics: 'ortho',
  orthopedic: 'ortho',
  orthopaedics: 'ortho',
  orthopaedic: 'ortho',
  obstetrics: 'ob',
  gynecology: 'gyn',
  management: 'mgmt',
  international: 'intl',
  national: 'natl',
};

/** Optional words that the search ignores. */
const ignoredWords = new Set(['and', 'the', 'of', 'at']);

const shortForms = new Map(Object.entries(abbreviations));
const longForms = Object.keys(abbreviations).filter((long) => long.length > 3);

/** The search words of a name or an address: lower case, without diacritics, long forms abbreviated. */
export function searchWords(text: string): string[] {
  const found = plain(text).match(/[a-z0-9]+/g);
  if (!found) return [];
  const words: string[] = [];
  for (const word of found) if (!ignoredWords.has(word)) words.push(shortForms.get(word) ?? word);
  return words;
}

/** Completions of the word being typed: itself, and the abbreviation of each long form that starts with it. */
export function completions(text: string): string[] {
  const last = plain(text)
    .split(/[^a-z0-9]+/)
    .findLast((word) => word !== '' && !ignoredWords.has(word));
  if (last === undefined || last.length < 3 || !/[a-z0-9]$/.test(plain(text))) return [];
  const ends = new Set([last]);
  for (const long of longForms) if (long.startsWith(last)) ends.add(abbreviations[long] as string);
  return [...ends];
}

/** The abbreviations of long forms that are one letter away from a typed word. */
export function longFormsNear(typed: string, open: boolean): string[] {
  const near = longForms.filter(
    (long) => Math.abs(long.length - typed.length) < (open ? 12 : 2) && lettersApart(typed, long, open) === 1,
  );
  return [...new Set(near.map((long) => abbreviations[long] as string))];
}

function plain(text: string): string {
  const small = text.toLowerCase();
  // Dots and apostrophes are part of words: "St.", "L.L.C.", "Children's".
  const whole = /['’.]/.test(small) ? small.replace(/['’.]/g, '') : small;
  return /[^\x00-\x7f]/.test(whole) ? whole.normalize('NFD').replace(/\p{M}/gu, '') : whole;
}
