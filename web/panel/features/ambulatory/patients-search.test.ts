import { expect, test } from 'vitest';
import { readPatientsSearch, shownKinds, showsNobody, withKind, withSort } from './patients-search.ts';

test('the address of the patient list leaves out what is invalid', () => {
  const valid = { page: 2, sort: 'movement', ascending: true, show: 'active.incomplete' };
  expect(readPatientsSearch({ ...valid, page: '2', ascending: 'true' })).toEqual(valid);
  expect(readPatientsSearch({ page: '-1', sort: 'name', ascending: 'true' })).toEqual({});
});

test('a pain column sorts by the highest first, then by the lowest first, then not at all', () => {
  const highest = withSort({ page: 3 }, 'stationary');
  expect(highest).toEqual({ sort: 'stationary' });
  const lowest = withSort(highest, 'stationary');
  expect(lowest).toEqual({ sort: 'stationary', ascending: true });
  expect(withSort(lowest, 'stationary')).toEqual({});
  expect(withSort(lowest, 'movement')).toEqual({ sort: 'movement' });
});

test('a checkbox changes what is shown and goes back to the first page', () => {
  const withoutPending = withKind({ page: 3, sort: 'movement' }, 'pending', false);
  expect(withoutPending).toEqual({ sort: 'movement', show: 'active.complete.incomplete' });
  expect(withKind(withoutPending, 'pending', true)).toEqual({ sort: 'movement' });
  expect(shownKinds(withKind({}, 'ended', true))).toEqual(['active', 'pending', 'ended', 'complete', 'incomplete']);
});

test('an address that shows nothing keeps showing nothing', () => {
  expect(readPatientsSearch({ show: 'none' })).toEqual({ show: 'none' });
  expect(shownKinds({ show: 'none' })).toEqual([]);
  expect(['none', 'complete.incomplete', 'active.pending'].map((show) => showsNobody({ show }))).toEqual([
    true,
    true,
    true,
  ]);
  expect([{}, { show: 'ended.complete' }].map(showsNobody)).toEqual([false, false]);
});
