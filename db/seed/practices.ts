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

const surnames = words(`
ABBOTT ACOSTA ADAMS AGUILAR ALLEN ALVAREZ ANDERSON ANDREWS ARMSTRONG ARNOLD AUSTIN AVILA BAILEY BAKER BALDWIN BARKER BARNES BARRETT
BARTON BAUER BECKER BELL BENNETT BENSON BERGER BISHOP BLACK BLAKE BOONE BOWEN BOYD BRADY BRENNAN BREWER BRIGGS BROOKS BROWN BRYANT
BURGESS BURKE BURNS BUTLER BYRNE CABRERA CAMPBELL CANNON CARDENAS CAREY CARLSON CARPENTER CARROLL CARTER CASTILLO CASTRO CHAMBERS
CHAN CHANDLER CHAPMAN CHAVEZ CHEN CHRISTENSEN CLARK CLAYTON COHEN COLE COLEMAN COLLINS CONTRERAS COOK COOPER CORTEZ COX CRAIG CRAWFORD
CROSS CRUZ CUMMINGS CUNNINGHAM CURTIS DALTON DANIELS DAVIS DAWSON DELGADO DENNIS DIAZ DIXON DOMINGUEZ DONNELLY DOUGLAS DOYLE DRAKE
DUFFY DUNCAN DUNN DURAN EATON EDWARDS ELLIOTT ELLIS ERICKSON ESPINOZA ESTRADA EVANS FARRELL FERGUSON FERNANDEZ FIELDS FIGUEROA FISCHER
FISHER FITZGERALD FLEMING FLETCHER FLORES FLYNN FORBES FOSTER FOWLER FOX FRANCIS FRANK FRAZIER FREEMAN FRIEDMAN FULLER GALLAGHER
GALLEGOS GARCIA GARDNER GARRETT GARZA GIBBS GIBSON GILBERT GOLDBERG GOMEZ GONZALEZ GOODMAN GOODWIN GORDON GRAHAM GRANT GRAVES GRAY
GREEN GRIFFIN GROSS GUERRERO GUTIERREZ GUZMAN HALL HAMILTON HANSEN HANSON HARDY HARPER HARRINGTON HARRIS HART HARVEY HAYES HENDERSON
HENRY HERNANDEZ HERRERA HICKS HIGGINS HOFFMAN HOGAN HOLLAND HOLMES HOLT HOPKINS HORTON HOWARD HOWELL HUBBARD HUDSON HUGHES HUNT HUNTER
IBARRA INGRAM JACKSON JACOBS JAMES JENKINS JENNINGS JENSEN JIMENEZ JOHNSON JONES JORDAN KAPLAN KELLER KELLEY KELLY KENNEDY KHAN KIM
KLEIN KNIGHT KOWALSKI KRAMER LAMBERT LANE LARSEN LARSON LAWRENCE LAWSON LEE LEVINE LEWIS LINDSEY LITTLE LOGAN LOPEZ LOWE LUCAS LYNCH
LYONS MACDONALD MADDEN MALDONADO MALONE MANNING MARSH MARSHALL MARTIN MARTINEZ MASON MATTHEWS MAXWELL MCCARTHY MCCORMICK MCDANIEL
MCDONALD MCGEE MCGRATH MCGUIRE MCKENZIE MCKINNEY MCLAUGHLIN MEDINA MEJIA MENDEZ MENDOZA MEYER MILES MILLER MILLS MIRANDA MITCHELL
MOLINA MONTGOMERY MONTOYA MOORE MORALES MORAN MORENO MORGAN MORRIS MORRISON MUELLER MULLINS MUNOZ MURPHY MURRAY MYERS NAVARRO NELSON
NEWMAN NGUYEN NICHOLS NIELSEN NOLAN NORRIS NORTON NUNEZ OBRIEN OCHOA OCONNOR OLIVER OLSON ORTEGA ORTIZ OWENS PACHECO PADILLA PALMER PARK
PARKER PARSONS PATEL PATTERSON PAYNE PEARSON PENA PEREZ PERKINS PERRY PETERSON PHELPS PHILLIPS PIERCE POPE PORTER POWELL POWERS PRATT
PRICE QUINN RAMIREZ RAMOS RAMSEY RANDALL REED REESE REEVES REID REYES REYNOLDS RHODES RICE RICHARDS RICHARDSON RILEY RIOS RIVERA ROBBINS
ROBERTS ROBERTSON ROBINSON RODRIGUEZ ROGERS ROJAS ROMAN ROMERO ROSS ROTH ROWE RUBIN RUIZ RUSSELL RYAN SALAZAR SALINAS SANCHEZ SANDERS
SANDOVAL SANTIAGO SANTOS SAUNDERS SAWYER SCHMIDT SCHNEIDER SCHROEDER SCHULTZ SCHWARTZ SCOTT SERRANO SHAH SHANNON SHAW SHELTON SHERMAN
SIMMONS SIMON SIMPSON SINGH SKINNER SLOAN SMITH SNYDER SOLIS SOTO SPENCER STEELE STEIN STEPHENS STEVENS STEVENSON STEWART STONE STRICKLAND
SULLIVAN SUMMERS SUTTON SWANSON SWEENEY TATE TAYLOR THOMAS THOMPSON THORNTON TORRES TOWNSEND TRAN TRUJILLO TUCKER TURNER UNDERWOOD VALDEZ
VARGAS VASQUEZ VAUGHN VEGA VELASQUEZ VILLARREAL VINCENT WAGNER WALKER WALLACE WALSH WALTERS WANG WARD WARREN WATERS WATKINS WATSON WATTS
WEAVER WEBB WEBER WEBSTER WEISS WELCH WELLS WEST WHEELER WHITE WHITNEY WILCOX WILKINS WILLIAMS WILLIAMSON WILLIS WILSON WINTERS WOLF WONG
WOODS WRIGHT WYATT YANG YATES YORK YOUNG ZAMORA ZIMMERMAN
`);
/** Beginnings and ends of English surnames: Ashford, Broadwell, Whitfield. */
const surnameRoots = words(`
ASH BARN BECK BLACK BRAD BRENT BROAD BROM BUCK BUR CAL CARL CHATTER CLAY CRAN CRAW CROSS DAN DUN EAST ELL FAIR FLINT GOLD GREEN HAMP HART
HATH HAY HEATH HIGH HOL HUNT KEN KIRK LANG LIN LOCK LONG MAN MARSH MER MID MIL MOR NEW NOR OAK PEM PENN RAD RAN RED RICH SAND SHEL STAN
STOCK STRAT SUT THORN TREN WAL WELL WEST WHIT WIN WOOD YORK
`);
const surnameEnds = words(
  'BORN BROOK BURN BURY BY CROFT DALE DEN FIELD FORD HAM HURST LAND LEY LOCK MAN MORE RIDGE SHAW STER TON WARD WELL WICK WOOD WORTH',
);
const townRoots = words(`
ALDER ASH ASPEN BAY BEAR BEECH BIRCH BLUE BRIAR BRIDGE BROOK CEDAR CHERRY CLAY CLEAR CLIFF CLOVER COLD CREST DEER EAGLE EDGE ELM FAIR FARM FERN
FLINT FOREST FOX GLEN GOLDEN GRAND GREEN HARBOR HAWTHORN HAZEL HEATH HIGH HOLLY IRON IVY LAKE LAUREL LONG MAPLE MARSH MEADOW MILL MOSS OAK
ORCHARD PEACH PINE PLAIN PRAIRIE QUAIL RAVEN RED RIVER ROCK ROSE SAND SILVER SPRING STONE SUN THORN VALLEY WALNUT WATER WEST WHEAT WHITE
WILLOW WOLF WOOD
`);
const townEnds = words(
  'BROOK BURG BURY CLIFF CREST DALE FIELD FORD GATE GROVE HAVEN HILL HURST LAKE LAND LEY MERE MONT PORT RIDGE SHORE SIDE STEAD STONE TON VALE VIEW VILLE WATER WOOD WORTH',
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
const facilities = [
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
    name: `${head} ${pick(fields)}${pick(facilities)}${pick(legal)}`,
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

/** One word of two parts. A letter on both sides of the joint is written once: Weston, Broadale. */
const joinNames = (root: string, end: string) => root + (root.at(-1) === end[0] ? end.slice(1) : end);

function familyName(chance: () => number): string {
  const pick = (list: string[]) => list[Math.floor(chance() * list.length)] as string;
  return chance() < 0.8 ? pick(surnames) : joinNames(pick(surnameRoots), pick(surnameEnds));
}

const townsKnown = new Map<number, { city: string; state: string; zip: string }>();

function madeUpTown(n: number, seed: number): { city: string; state: string; zip: string } {
  const key = seed * towns + n;
  let town = townsKnown.get(key);
  if (!town) {
    const chance = createSeededRandom(key ^ 0x51ed270b);
    const pick = (list: readonly string[]) => list[Math.floor(chance() * list.length)] as string;
    const city = `${pick(townBefore)}${joinNames(pick(townRoots), pick(townEnds))}${pick(townAfter)}`;
    town = { city, state: pick(states), zip: String(10_000 + Math.floor(chance() * 89_999)) };
    townsKnown.set(key, town);
  }
  return town;
}

function ordinal(n: number): string {
  const tens = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${tens ? 'TH' : (({ 1: 'ST', 2: 'ND', 3: 'RD' } as Record<number, string>)[n % 10] ?? 'TH')}`;
}
