import type { Filter } from './use-audit.ts';

const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Reads the filter from the address, which never has a name; invalid values are ignored. */
export function readAuditSearch(search: Record<string, unknown>): Partial<Filter> {
  const { action, from, to, patient, person } = search;
  return {
    ...(typeof action === 'string' && /^[a-z-]+(\.[a-z-]+)*$/.test(action) && { action }),
    ...(typeof patient === 'string' && uuid.test(patient) && { patient }),
    ...(typeof person === 'string' && uuid.test(person) && { person }),
    ...(typeof from === 'string' && day.test(from) && { from }),
    ...(typeof to === 'string' && day.test(to) && { to }),
  };
}
