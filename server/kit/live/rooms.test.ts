import { expect, test } from 'vitest';
import { openRooms } from './rooms.ts';

test('members are in the rooms they joined and did not leave', () => {
  const rooms = openRooms<string>();
  rooms.join('a', 'office', 'person');
  rooms.join('b', 'office');
  rooms.leave('a', 'office', 'never-joined');
  expect([rooms.membersOf('office'), rooms.membersOf('person')]).toEqual([['b'], ['a']]);
});

test('leaving all rooms removes the member from each of them, and empty rooms are deleted', () => {
  const rooms = openRooms<string>();
  rooms.join('a', 'office', 'person', 'office');
  rooms.join('b', 'office');
  rooms.leaveAll('a');
  expect([rooms.membersOf('office'), rooms.size]).toEqual([['b'], 1]);
  rooms.leaveAll('b');
  rooms.leaveAll('b');
  expect(rooms.size).toBe(0);
});
