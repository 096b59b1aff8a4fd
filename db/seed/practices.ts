import { createSeededRandom } from './seeded-random.ts';

/** Made-up practices in made-up towns, for the demo's address search, tests and benchmarks. */

export interface InventedPractice {
  npi: string;
  name: string;
  otherName: string | null;
  addressLine1: string;
  addressLine2: string | null;
  city: string;
  state: string;
  zip: string;
  /** Ten digits, reserved for fiction. */
  phone: string;
}

const words = (text: string) => text.trim().split(/\s+/);

const onsets = words(
  'B BR C CAL CH D DEL DR F FEN G GAR H HAL J K KEL L LAN M MAR N OR P PEN QU R ROS S SHEL ST T TAL TR V VAN W WEN Y Z',
);
const vowels = words('A E I O U AE EA OA IO');
const middles = words('BR D DD DER K KEN L LD LL LV M MB MM N ND NN NT R RD RL RN RT S ST T TT V');
const ends = words(
  'AN ARD ATT BERG BY DALE EAU ELL EN ER ETT EY FIELD FORD IAN INGTON IS LEY LOCK MAN MOND MOOR O OCK ON OR OW SEN SON STEIN TON UCCI WAY WELL WICK WIN WORTH Y',
);
const townEnds = words(
  'BROOK BURG BURY CLIFF CREST DALE FIELD FORD GATE GROVE HAVEN HILL HURST LAKE LAND MERE MONT PORT RIDGE SHORE SIDE STEAD STONE TON VALE VIEW VILLE WATER WOOD WORTH',
);
const townAfter = ['', '', '', '', '', ' FALLS', ' HEIGHTS', ' SPRINGS', ' CITY', ' PARK', ' BEACH', ' JUNCTION'];
const townBefore = ['', '', '', '', '', '', 'NEW ', 'NORTH ', 'WEST ', 'LAKE ', 'SAINT ', 'MOUNT ', 'FORT ', 'EAST '];
const states = words(
  'AL AZ AR CA CA CA CO CT FL FL FL GA GA IL IL IN IA KS KY LA ME MD MA MI MI MN MS MO NE NV NH NJ NJ NM NY NY NY NC NC OH OH OK OR PA PA SC TN TX TX TX TX UT VA VT WA WI WV PR',
);
const streets = words(
  'MAIN OAK MAPLE CEDAR PARK ELM PINE LAKE HILL WALNUT SPRING CHURCH RIVER MILL UNION CENTER HIGHLAND MEADOW FOREST SUNSET RIDGE CHESTNUT WILLOW SYCAMORE COLLEGE ORCHARD MARKET VALLEY LIBERTY FRANKLIN HARBOR BRIDGE',
);
const streetKinds = words(
  'ST ST ST STREET AVE AVE AVENUE RD RD ROAD DR DR DRIVE BLVD BLVD BOULEVARD LN LANE CT WAY PKWY HWY PL CIR TER',
);
const sides = ['', '', '', '', '', '', 'N ', 'S ', 'E ', 'W ', 'NORTH ', 'WEST ', 'NE ', 'SW '];
const fields = [
  'PEDIATRICS',
  'PEDIATRICS',
  'FAMILY MEDICINE',
  'FAMILY PRACTICE',
  'DENTAL',
  'DENTAL CARE',
  'FAMILY DENTISTRY',
  'ORTHODONTICS',
  'MEDICAL',
  'PRIMARY CARE',
  'INTERNAL MEDICINE',
  'PHYSICAL THERAPY',
  'CHIROPRACTIC',
  'EYE CARE',
  'VISION',
  'OPTOMETRY',
  'DERMATOLOGY',
  'CARDIOLOGY',
  'ORTHOPEDICS',
  "WOMEN'S HEALTH",
  'OBSTETRICS & GYNECOLOGY',
  'BEHAVIORAL HEALTH',
  'COUNSELING',
  'PSYCHIATRY',
  'URGENT CARE',
  'SURGERY',
  'HOME HEALTH',
  'HOSPICE',
  'PHARMACY',
  'IMAGING',
  'ALLERGY & ASTHMA',
  'PODIATRY',
  "CHILDREN'S",
  'REHABILITATION',
  'HEARING',
  'UROLOGY',
  'GASTROENTEROLOGY',
  'NEUROLOGY',
  'ONCOLOGY',
  'WELLNESS',
  'SPEECH THERAPY',
];
const houses = [
  '',
  '',
  '',
  ' CENTER',
  ' CENTER',
  ' CLINIC',
  ' CLINIC',
  ' ASSOCIATES',
  ' GROUP',
  ' GROUP',
  ' SPECIALISTS',
  ' PARTNERS',
  ' SERVICES',
  ' INSTITUTE',
  ' OFFICE',
  ' PHYSICIANS',
  ' HOSPITAL',
];
const legal = ['', '', '', ' LLC', ' LLC', ' PC', ' P.C.', ' INC', ', INC.', ' PLLC', ' P.A.', ' PA', ' LTD'];
const suites = ['STE 100', 'STE 200', 'SUITE 210', 'STE A', 'SUITE B', 'STE 12', 'UNIT 4', 'FL 2', 'BLDG C', 'RM 301'];
const towns = 4_000;

/** Practice `n` of a seed, always the same. */
export function madeUpPractice(n: number, seed = 1): InventedPractice {
  const chance = createSeededRandom(Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b));
  const pick = <T>(list: readonly T[]) => list[Math.floor(chance() * list.length)] as T;
  // Few towns are large.
  const town = madeUpTown(Math.floor(chance() ** 2.2 * towns), seed);
  const family = () => familyName(chance);
  const street = chance() < 0.45 ? pick(streets) : chance() < 0.25 ? ordinal(1 + Math.floor(chance() * 60)) : family();
  const kind = chance();
  const head =
    kind < 0.4
      ? family()
      : kind < 0.5
        ? `${family()} & ${family()}`
        : kind < 0.65
          ? town.city
          : kind < 0.85
            ? `${pick(streets)} ${pick(['STREET', 'VALLEY', 'CREEK', 'HILL', 'POINT', 'RIVER', 'GROVE', 'BAY'])}`
            : `${pick(['ADVANCED', 'PREMIER', 'COMPLETE', 'UNITED', 'MODERN', 'BRIGHT', 'FIRST', 'GENTLE', 'TOTAL'])} ${family()}`;
  return {
    npi: madeUpNpi(n),
    name: `${head} ${pick(fields)}${pick(houses)}${pick(legal)}`,
    otherName: chance() < 0.12 ? `${family()} ${pick(fields)}` : null,
    addressLine1: `${1 + Math.floor(chance() ** 2 * 9_999)} ${pick(sides)}${street} ${pick(streetKinds)}`,
    addressLine2: chance() < 0.35 ? pick(suites) : null,
    ...town,
    phone: `21255501${String(n % 100).padStart(2, '0')}`,
  };
}

/** A number with a correct check digit that is never issued: those begin with 1. Different for each `n` below a hundred million. */
function madeUpNpi(n: number): string {
  const nine = `2${String(Number((BigInt(n + 7) * 38_195_917n) % 100_000_000n)).padStart(8, '0')}`;
  let sum = 24;
  for (let i = 0; i < 9; i++) {
    const value = Number(nine[i]) * (i % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return `${nine}${(10 - (sum % 10)) % 10}`;
}

function familyName(chance: () => number): string {
  const pick = (list: string[]) => list[Math.floor(chance() * list.length)] as string;
  return (
    pick(onsets) + pick(vowels) + pick(middles) + (chance() < 0.2 ? pick(vowels) + pick(middles) : '') + pick(ends)
  );
}

const townsKnown = new Map<number, { city: string; state: string; zip: string }>();

function madeUpTown(n: number, seed: number): { city: string; state: string; zip: string } {
  const key = seed * towns + n;
  let town = townsKnown.get(key);
  if (!town) {
    const chance = createSeededRandom(key ^ 0x51ed270b);
    const pick = (list: readonly string[]) => list[Math.floor(chance() * list.length)] as string;
    const city = `${pick(townBefore)}${pick(onsets)}${pick(vowels)}${pick(middles)}${pick(townEnds)}${pick(townAfter)}`;
    town = { city, state: pick(states), zip: String(10_000 + Math.floor(chance() * 89_999)) };
    townsKnown.set(key, town);
  }
  return town;
}

function ordinal(n: number): string {
  const tens = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${tens ? 'TH' : (({ 1: 'ST', 2: 'ND', 3: 'RD' } as Record<number, string>)[n % 10] ?? 'TH')}`;
}
