import { randomInt } from 'node:crypto';

/** Area codes used by the demo's patients, staff and offices, and codes that do not exist. */
const setAside = new Set(
  '212 332 347 516 646 718 914 917 929 211 311 411 511 611 711 811 911 500 555 800 833 844 855 866 877 888 900'.split(
    ' ',
  ),
);
const areas = Array.from({ length: 789 }, (_, i) => String(201 + i)).filter((area) => !setAside.has(area));

/** The nth number reserved for fiction (555-01xx) that nobody in the demo has. */
const numberAt = (n: number) => `+1${areas[Math.floor(n / 100)]}55501${String(n % 100).padStart(2, '0')}`;

/** A free number from the local carrier's pool; throws if there is none. */
export async function claimLocalNumber(isFree: (number: string) => Promise<boolean>): Promise<string> {
  const all = areas.length * 100;
  for (let tries = 0; tries < 1_000; tries++) {
    const number = numberAt(randomInt(all));
    if (await isFree(number)) return number;
  }
  throw new Error('the local carrier has no number left');
}
