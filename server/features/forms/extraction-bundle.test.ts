import { expect, test } from 'vitest';
import { creatingOnly, type TransactionBundle } from './extraction-bundle.ts';

const formId = 'a6b5c4d3-0000-4000-8000-000000000001';
const entry = (resource: TransactionBundle['entry'][number]['resource'], request: object) =>
  ({ fullUrl: `urn:uuid:${resource.resourceType}`, resource, request }) as TransactionBundle['entry'][number];
const first = [
  entry({ resourceType: 'Patient' }, { method: 'POST', url: 'Patient', ifNoneExist: 'identifier=ours|1' }),
  entry({ resourceType: 'QuestionnaireResponse' }, { method: 'POST', url: 'QuestionnaireResponse' }),
];
const sentOf = (...extracted: TransactionBundle['entry']) =>
  creatingOnly({ resourceType: 'Bundle', type: 'transaction', entry: [...first, ...extracted] }, formId).entry.slice(2);

test.each([
  ['deletes another patient', { method: 'DELETE', url: 'Patient/other' }],
  ['overwrites another patient', { method: 'PUT', url: 'Patient/other' }],
  ['is bound to a record that it names', { method: 'POST', url: 'Patient', ifNoneExist: 'identifier=theirs|7' }],
])('an entry that %s only creates a record of its own', (_what, request) => {
  const [sent] = sentOf(entry({ resourceType: 'Patient', id: 'other' }, request));
  expect(sent?.resource).not.toHaveProperty('id');
  expect(sent?.request).toMatchObject({ method: 'POST', url: 'Patient' });
  expect(sent?.request.ifNoneExist).toMatch(/^identifier=[^|]+\|[^|]+$/);
  expect(sent?.request.ifNoneExist).not.toContain('theirs');
});

test('what cannot be marked, and a type that would change the address, is not sent', () => {
  const plain = { method: 'POST', url: 'x' };
  expect(sentOf(entry({ resourceType: 'Parameters' }, plain), entry({ resourceType: 'Patient/x?' }, plain))).toEqual(
    [],
  );
});

test('sent again, an entry has the same mark', () => {
  const made = () => sentOf(entry({ resourceType: 'Observation' }, { method: 'POST', url: 'Observation' }));
  expect(made()).toEqual(made());
});
