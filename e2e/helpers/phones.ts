import { randomInt } from 'node:crypto';

const areas =
  '201 203 207 212 215 301 305 312 315 332 347 401 413 508 516 518 585 603 607 609 617 631 646 716 718 732 781 802 845 860 908 914 917 929 973';

/** A number nobody else in a run or the demo has: one of 343,000 on the exchange reserved for fiction. */
export function newPhone(): string {
  const all = areas.split(' ');
  return `${all[randomInt(all.length)]}555${String(randomInt(200, 10_000)).padStart(4, '0')}`;
}
