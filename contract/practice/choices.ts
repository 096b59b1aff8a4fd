/** The choices in the registration form: states and territories, management software, sizes, ages. Edit them here. */
import type { Language, Translations } from '#contract/shapes.ts';

const same = (name: string): Translations => ({ en: name, es: name });

/** The 59 states and territories a practice can be in, by their two letters. */
export const states: Readonly<Record<string, Translations>> = {
  AL: same('Alabama'),
  AK: same('Alaska'),
  AS: { en: 'American Samoa', es: 'Samoa Americana' },
  AZ: same('Arizona'),
  AR: same('Arkansas'),
  CA: same('California'),
  CO: same('Colorado'),
  CT: same('Connecticut'),
  DE: same('Delaware'),
  DC: { en: 'District of Columbia', es: 'Distrito de Columbia' },
  FM: { en: 'Federated States of Micronesia', es: 'Estados Federados de Micronesia' },
  FL: same('Florida'),
  GA: same('Georgia'),
  GU: same('Guam'),
  HI: { en: 'Hawaii', es: 'Hawái' },
  ID: same('Idaho'),
  IL: same('Illinois'),
  IN: same('Indiana'),
  IA: same('Iowa'),
  KS: same('Kansas'),
  KY: same('Kentucky'),
  LA: { en: 'Louisiana', es: 'Luisiana' },
  ME: same('Maine'),
  MH: { en: 'Marshall Islands', es: 'Islas Marshall' },
  MD: same('Maryland'),
  MA: same('Massachusetts'),
  MI: { en: 'Michigan', es: 'Míchigan' },
  MN: same('Minnesota'),
  MS: { en: 'Mississippi', es: 'Misisipi' },
  MO: { en: 'Missouri', es: 'Misuri' },
  MT: same('Montana'),
  NE: same('Nebraska'),
  NV: same('Nevada'),
  NH: { en: 'New Hampshire', es: 'Nuevo Hampshire' },
  NJ: { en: 'New Jersey', es: 'Nueva Jersey' },
  NM: { en: 'New Mexico', es: 'Nuevo México' },
  NY: { en: 'New York', es: 'Nueva York' },
  NC: { en: 'North Carolina', es: 'Carolina del Norte' },
  ND: { en: 'North Dakota', es: 'Dakota del Norte' },
  MP: { en: 'Northern Mariana Islands', es: 'Islas Marianas del Norte' },
  OH: same('Ohio'),
  OK: same('Oklahoma'),
  OR: { en: 'Oregon', es: 'Oregón' },
  PW: { en: 'Palau', es: 'Palaos' },
  PA: { en: 'Pennsylvania', es: 'Pensilvania' },
  PR: same('Puerto Rico'),
  RI: same('Rhode Island'),
  SC: { en: 'South Carolina', es: 'Carolina del Sur' },
  SD: { en: 'South Dakota', es: 'Dakota del Sur' },
  TN: same('Tennessee'),
  TX: same('Texas'),
  UT: same('Utah'),
  VT: same('Vermont'),
  VI: { en: 'Virgin Islands', es: 'Islas Vírgenes' },
  VA: same('Virginia'),
  WA: same('Washington'),
  WV: { en: 'West Virginia', es: 'Virginia Occidental' },
  WI: same('Wisconsin'),
  WY: same('Wyoming'),
};

/** The same as a list, sorted by the names in a language. */
export function statesByName(language: Language): { code: string; name: string }[] {
  const { compare } = new Intl.Collator(language);
  return Object.entries(states)
    .map(([code, name]) => ({ code, name: name[language] }))
    .sort((one, other) => compare(one.name, other.name));
}

/** How many patients a practice has (`patientSize`). */
export const sizes: Readonly<Record<string, Translations>> = {
  '1-500': { en: '1 to 500', es: 'De 1 a 500' },
  '501-1000': { en: '501 to 1,000', es: 'De 501 a 1,000' },
  '1001-2500': { en: '1,001 to 2,500', es: 'De 1,001 a 2,500' },
  '2501-5000': { en: '2,501 to 5,000', es: 'De 2,501 a 5,000' },
  '5001-10000': { en: '5,001 to 10,000', es: 'De 5,001 a 10,000' },
  '10001-20000': { en: '10,001 to 20,000', es: 'De 10,001 a 20,000' },
  '20001+': { en: 'More than 20,000', es: 'Más de 20,000' },
};

/** Whom a practice treats (`agesTreated`, at least one). */
export const ages: Readonly<Record<string, Translations>> = {
  Newborns: { en: 'Newborns', es: 'Recién nacidos' },
  Children: { en: 'Children', es: 'Niños' },
  Adults: { en: 'Adults', es: 'Adultos' },
  Seniors: { en: 'Seniors', es: 'Adultos mayores' },
};
