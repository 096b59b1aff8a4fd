import { expect, test } from 'vitest';
import { inboxFilters, isListed } from './inbox.ts';

const answered = { state: 'open', unanswered: false, doctorUnread: 0, failed: false } as const;

test.each([
  ['answered', answered, 'all'],
  ['not answered', { ...answered, unanswered: true }, 'unanswered all'],
  ['unread', { ...answered, unanswered: true, doctorUnread: 2 }, 'unanswered unread all'],
  ['not delivered', { ...answered, failed: true }, 'all failed'],
  ['closed', { ...answered, state: 'closed', unanswered: true, failed: true }, 'all'],
  ['held back', { ...answered, state: 'held', unanswered: true, doctorUnread: 2, failed: true }, ''],
] as const)('a conversation that is %s is listed under its filters', (_what, conversation, filters) => {
  expect(inboxFilters.filter((filter) => isListed(conversation, filter)).join(' ')).toBe(filters);
});
