import { NoList, type Terminology } from './port.ts';

/** No terminology server. */
export function noTerminology(): Terminology {
  return { name: 'off', expand: () => Promise.reject(new NoList('not listed')) };
}
