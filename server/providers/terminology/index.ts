import type { Services } from '#server/context.ts';
import { cachedTerminology } from './cached.ts';
import { noTerminology } from './off.ts';
import type { Terminology } from './port.ts';
import { restTerminology } from './rest.ts';

/** The terminology server that lists the answers of value sets, if one is configured. */
export function openTerminology({ env, now }: Pick<Services, 'env' | 'now'>): Terminology {
  return env.terminology ? cachedTerminology('rest', restTerminology(env.terminology), now) : noTerminology();
}
