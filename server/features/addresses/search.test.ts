import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchAddresses } from '#contract/addresses.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';
import { loadSample, readAddress, type AddressRow } from './index.ts';

let testApp: TestApp;
const row = (
  npi: string,
  name: string,
  addressLine1: string,
  city: string,
  state: string,
  zip: string,
): AddressRow => ({
  npi,
  name,
  otherName: null,
  addressLine1,
  addressLine2: null,
  city,
  state,
  zip,
  phone: null,
});
const practices = [
  row('2000000101', 'MAPLE GROVE PEDIATRICS LLC', '48 NORTH MAPLE STREET', 'BROOKVALE', 'NY', '11201'),
  row('2000000119', 'MAPLE GROVE PEDIATRICS LLC', '9 HARBOR RD', 'FENWICK', 'CA', '90011'),
  row('2000000127', "ST. ANSELM'S CHILDREN'S HOSPITAL", '1200 SAINT ANSELM BLVD', 'HALDEN', 'OH', '44101'),
  {
    ...row('2000000135', 'R & T HOLDINGS, P.C.', '77 5TH AVE', 'BROOKVALE', 'NY', '11201'),
    otherName: 'SMILE FACTORY',
    addressLine2: 'STE 210',
  },
  row('2000000143', 'Clínica Peñasco', '5 Old Mill Lane', 'Talmont', 'NM', '87001'),
  row('2000000150', 'BRANDELL FAMILY MEDICINE', '310 HIGHWAY 9', 'HALDEN', 'OH', '44101'),
  ...Array.from({ length: 30 }, (_, i) =>
    row(String(2100000000 + i), `MAPLEWOOD ${i} DENTAL`, `${i} OAK ST`, 'ELMS', 'TX', '75001'),
  ),
];
beforeAll(async () => {
  testApp = await openTestApp();
  await loadSample(testApp.url, () => practices);
});
afterAll(() => testApp.close());

const search = async (searchString: string) => (await testApp.call(searchAddresses, { query: { searchString } })).body;
const first = async (searchString: string) => (await search(searchString))[0]?._id;

test('a search result has the fields that registration fills in', async () => {
  const [found] = await search('maple grove brookvale');
  expect(found).toEqual({
    _id: '2000000101',
    npi: '2000000101',
    name: 'Maple Grove Pediatrics LLC',
    otherName: null,
    addressLine1: '48 North Maple Street',
    addressLine2: null,
    city: 'Brookvale',
    state: 'NY',
    zip: '11201',
  });
  expect(await readAddress(testApp.services, '2000000101')).toEqual(found);
  expect(await readAddress(testApp.services, '2999999999')).toBeNull();
});

test('a search returns nothing before the third letter, at most ten results, and nothing for nonsense', async () => {
  expect(await search('')).toEqual([]);
  expect(await search('ma')).toEqual([]);
  expect(await search('  m - a  ')).toEqual([]);
  expect(await search('map')).toHaveLength(10);
  expect(await search('qqqqqqq')).toEqual([]);
});

test.each([
  ['name and city together', 'maple grove pediatrics fenwick', '2000000119'],
  ['the state, short or long', 'maple grove california', '2000000119'],
  ['the ZIP code', 'maple grove 11201', '2000000101'],
  ['street first, as an envelope says it', '48 n maple st brook', '2000000101'],
  ['long forms for short ones', '310 hwy 9 halden', '2000000150'],
  ['short forms for long ones', '1200 st anselm boulevard', '2000000127'],
  ['Saint for St., without apostrophes', 'saint anselms childrens hosp', '2000000127'],
  ['an ordinal in words', '77 fifth avenue', '2000000135'],
  ['the name it does business as', 'smile factory', '2000000135'],
  ['the suite', 'smile factory suite 210', '2000000135'],
  ['no accents typed', 'clinica penasco', '2000000143'],
  ['accents typed', 'Clínica Peñ', '2000000143'],
  ['its NPI', ' 2000000150 ', '2000000150'],
])('finds by %s', async (_, typed, npi) => {
  expect(await first(typed)).toBe(npi);
});

test.each([
  ['two letters swapped', 'brandlel family', '2000000150'],
  ['a letter missing', 'brandll family', '2000000150'],
  ['a letter too many', 'branddell family', '2000000150'],
  ['a wrong letter', 'brendell family', '2000000150'],
  ['a typo in the word still being typed', 'family branedl', '2000000150'],
  ['a typo in a word that is kept short', 'smile factory avneue', '2000000135'],
  ['two words with typos', 'ansellm chidrens', '2000000127'],
  ['a word that is nowhere', 'brandell zebra medicine', '2000000150'],
  ['words that are never together', 'brandell fenwick medicine', '2000000150'],
])('forgives %s', async (_, typed, npi) => {
  expect((await search(typed)).slice(0, 3).map(({ _id }) => _id)).toContain(npi);
});

test('a practice stays in the results for every further keystroke once its words identify it', async () => {
  const typed = 'brandell family medicine halden';
  for (let letters = 5; letters <= typed.length; letters++)
    expect(await first(typed.slice(0, letters)), typed.slice(0, letters)).toBe('2000000150');
});

test('quotes, operators and other scripts are searched as text, not executed', async () => {
  for (const typed of [
    "'; drop table x --",
    'a & | ! ( ) :*',
    "o'brien's",
    '\\\\%_',
    '诊所诊所诊所',
    '%%%%',
    'a'.repeat(200),
    '1 '.repeat(100),
  ]) {
    const { status } = await testApp.call(searchAddresses, { query: { searchString: typed } });
    expect(status, typed).toBe(200);
  }
  expect((await testApp.call(searchAddresses, { query: { searchString: 'a'.repeat(201) } })).status).toBe(400);
});

test('a signed-in person without an office may search; a signed-out one may not', async () => {
  const personId = await testApp.addStaff({ name: 'Nina Newcomer', email: 'nina@new.test' }, []);
  const token = await testApp.signIn(personId);
  const newcomer = await testApp.call(searchAddresses, { query: { searchString: 'brandell' } }, { as: { token } });
  expect([newcomer.status, newcomer.body[0]?._id]).toEqual([200, '2000000150']);
  expect((await testApp.call(searchAddresses, { query: { searchString: 'brandell' } }, { as: null })).status).toBe(401);
});

test('loading the sample never replaces existing addresses', async () => {
  await loadSample(testApp.url, () => [row('2000000168', 'OTHER CLINIC', '1 ELM ST', 'TROY', 'NY', '12180')]);
  expect(await readAddress(testApp.services, '2000000168')).toBeNull();
  expect(await readAddress(testApp.services, '2000000150')).not.toBeNull();
});
