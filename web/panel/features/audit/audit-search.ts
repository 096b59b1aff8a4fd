import type { Filter } from './use-audit.ts';

const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Reads the filter from the address; invalid values are ignored. */
export function readAuditSearch(search: Record<string, unknown>): Partial<Filter> {
  const { action, from, to } = search;
  return {
    ...(typeof action === 'string' && /^[a-z-]+(\.[a-z-]+)*$/.test(action) && { action }),
    ...(typeof from === 'string' && day.test(from) && { from }),
    ...(typeof to === 'string' && day.test(to) && { to }),
  };
}
