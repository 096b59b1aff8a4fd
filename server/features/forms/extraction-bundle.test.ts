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

test('a resource that cannot be marked, or whose type would change the URL, is not sent', () => {
  const plain = { method: 'POST', url: 'x' };
  expect(sentOf(entry({ resourceType: 'Parameters' }, plain), entry({ resourceType: 'Patient/x?' }, plain))).toEqual(
    [],
  );
});

test('sent again, an entry has the same mark', () => {
  const made = () => sentOf(entry({ resourceType: 'Observation' }, { method: 'POST', url: 'Observation' }));
  expect(made()).toEqual(made());
});

const create = (resourceType: string) => ({ method: 'POST', url: resourceType });

test('references to records that are not sent with the form are left out, with the identifiers and links of patients', () => {
  const other = { reference: 'Patient/other' };
  const observation = {
    resourceType: 'Observation',
    subject: other,
    performer: [{ reference: 'Practitioner?identifier=foo|1' }, { reference: 'Practitioner/2', display: 'Dr. Who' }],
    focus: [{ identifier: { system: 'http://hospital/mrn', value: '1234' } }],
    extension: [
      { url: 'http://example.org/x', valueReference: other },
      { url: 'http://example.org/y', valueString: 'y' },
    ],
    derivedFrom: [{ reference: 'urn:uuid:QuestionnaireResponse' }],
  };
  const patient = {
    resourceType: 'Patient',
    identifier: [{ system: 'http://hospital/mrn', value: '1234' }],
    link: [{ other, type: 'replaces' }],
    managingOrganization: { reference: 'Organization/9' },
    photo: [{ contentType: 'image/png', url: 'Binary/7' }],
  };
  const sent = sentOf(entry(observation, create('Observation')), entry(patient, create('Patient')));
  expect(sent[0]?.resource).toEqual({
    resourceType: 'Observation',
    subject: { reference: 'urn:uuid:Patient' },
    performer: [{ display: 'Dr. Who' }],
    extension: [{ url: 'http://example.org/y', valueString: 'y' }],
    derivedFrom: [{ reference: 'urn:uuid:QuestionnaireResponse' }],
    identifier: [{ system: 'urn:ietf:rfc:3986', value: sent[0]?.fullUrl }],
  });
  expect(sent[1]?.resource).toEqual({
    resourceType: 'Patient',
    photo: [{ contentType: 'image/png' }],
    identifier: [{ system: 'urn:ietf:rfc:3986', value: sent[1]?.fullUrl }],
  });
});

test('the patient and the response that are sent point at nothing else either', () => {
  const reference = 'Patient/other';
  const own = [
    entry(
      { ...first[0]!.resource, link: [{ other: { reference } }], identifier: [{ system: 'x', value: '1' }] },
      first[0]!.request,
    ),
    entry(
      { ...first[1]!.resource, item: [{ linkId: 'a', answer: [{ valueReference: { reference, display: 'A' } }] }] },
      first[1]!.request,
    ),
  ];
  const sent = creatingOnly({ resourceType: 'Bundle', type: 'transaction', entry: own }, formId).entry;
  expect(JSON.stringify(sent)).not.toContain(reference);
  expect(sent[0]?.resource['identifier']).toEqual([{ system: 'urn:ietf:rfc:3986', value: 'urn:uuid:Patient' }]);
  expect(sent[1]?.resource['item']).toEqual([{ linkId: 'a', answer: [{ valueReference: { display: 'A' } }] }]);
});

test('each entry that is sent has an address of its own, and what points at it still does', () => {
  const taken = { fullUrl: 'Patient/1', resource: { resourceType: 'Coverage' }, request: create('Coverage') };
  const plan = {
    ...taken,
    resource: {
      resourceType: 'Coverage',
      payor: [{ reference: 'Patient/1' }],
      beneficiary: { reference: 'urn:uuid:Patient' },
    },
  };
  const sent = sentOf(taken as TransactionBundle['entry'][number], plan as TransactionBundle['entry'][number]);
  const urls = sent.map(({ fullUrl }) => fullUrl);
  expect(new Set(urls).size).toBe(2);
  for (const url of urls) expect(url).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  expect(sent[1]?.resource).toMatchObject({
    payor: [{ reference: urls[0] }],
    beneficiary: { reference: 'urn:uuid:Patient' },
  });
});
