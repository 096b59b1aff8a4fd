import { inboxFilters, type InboxFilter } from '#contract/conversations/inbox.ts';

/** What the address of the inbox says: the filter and the open conversation. Never a name. */
export interface InboxSearch {
  filter?: InboxFilter;
  conversation?: string;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Reads the search parameters; invalid ones are left out. */
export function readInboxSearch({ filter, conversation }: Record<string, unknown>): InboxSearch {
  const known = inboxFilters.find((name) => name === filter);
  return {
    ...(known && { filter: known }),
    ...(typeof conversation === 'string' && uuid.test(conversation) && { conversation }),
  };
}
