import fc from 'fast-check';
import type { Example } from './examples.ts';

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
}

/** One operation of the document, as far as its input goes. */
export interface Operation {
  parameters: { in: 'path' | 'query' | 'header'; name: string; required?: boolean; schema: Schema }[];
  body: Schema | undefined;
}

/** One case to send: parts as they go over the wire. `raw` stands in for a JSON body. */
export interface Case {
  kind: string;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  body?: unknown;
  raw?: { type: string; bytes: Buffer };
}

const days = fc.oneof(
  fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
  fc.constantFrom(
    new Date('2026-03-02T15:00:00Z'),
    new Date(-62_167_219_200_000),
    new Date('9999-12-31T23:59:59.999Z'),
  ),
);

/** Values that fit a schema. */
export function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const types = [schema.type ?? 'string'].flat();
  return fc.oneof(...types.map((type) => fittingType(type, schema)));
}

function fittingType(type: string, schema: Schema): fc.Arbitrary<unknown> {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number')
    return fc.integer({
      min: Math.max(schema.minimum ?? -10_000, Number.MIN_SAFE_INTEGER),
      max: Math.min(schema.maximum ?? 10_000, Number.MAX_SAFE_INTEGER),
    });
  if (type === 'array')
    return fc.array(fitting(schema.items ?? {}), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 5, (schema.minItems ?? 0) + 5),
    });
  if (type === 'object')
    return fc.record(
      Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, fitting(inner)])),
      { requiredKeys: schema.required ?? [] },
    );
  return fittingText(schema);
}

function fittingText({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date') return days.map((day) => isoOf(day).slice(0, 10));
  if (format === 'date-time') return days.map(isoOf);
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  if (pattern) {
    const shape = new RegExp(pattern);
    const edges = nasty.filter((value) => typeof value === 'string' && shape.test(value) && fits(value)) as string[];
    const made = fc.stringMatching(shape, { size: 'small' }).filter(fits);
    return edges.length > 0 ? fc.oneof({ weight: 3, arbitrary: made }, fc.constantFrom(...edges)) : made;
  }
  const most = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, 40)) };
  return fc.oneof(
    fc.string({ ...most, unit: 'grapheme' }).filter(fits),
    fc.constantFrom('(202) 555-0142', '+12025550143', 'somebody@maple.test', 'Ada', ...odd).filter(fits),
    fc.constant('x'.repeat(maxLength)),
  );
}
const isoOf = (day: Date) => day.toISOString().replace(/^[+-]\d\d(\d{4})/, '$1');

const odd = ['😀👩‍👩‍👧', 'مرحبا بالعالم', '\u202eabc', 'ﷺ', 'a\u0301', '0', '1e5', 'null', '日本語', "O'Connor", '٤٢'];

/** What does not belong anywhere: too big, too odd, of another type. */
// prettier-ignore
const nasty: unknown[] = [
  null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, -(2 ** 53), 2_147_483_648, 2 ** 63,
  '', ' ', '   \t\n', '\0', 'a\0b', '\ud800', 'x\udc00y', '__proto__', 'constructor', 'toString', '%00', '%', '..', '../../etc/passwd',
  `'; drop table visit; --`, `<script>alert(1)</script>`, '${7*7}', '{{7*7}}', 'Infinity', 'NaN', '-0', '1e999', '0x10', ...odd,
  '\u0000\u0001\u001f', '\uffff', 'x'.repeat(1_000_000), '9'.repeat(5_000), '😀'.repeat(2_000),
  '0000-01-01', '2026-02-30', '9999-12-31', '0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59Z', '2026-03-02T15:00:00+99:99', '01010000', '12310001',
  '12319999', '02302026', '20260230', '00000101', '99991231', '000000000000000000', '999999999999999999',
  [], {}, [null], [[]], ['a', 'b'], { length: 1 }, { __html: 'x' }, { toString: 'x' }, { $gt: '' }, [{ a: [{ b: {} }] }],
  '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '+1', '+10000000000', '１２３４５６７８９０',
];

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
type Change = (value: unknown) => unknown;
const changes: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...nasty).map(
      (instead): Change =>
        () =>
          instead,
    ),
  },
  { weight: 1, arbitrary: fc.constant<Change>((value) => [value]) },
  { weight: 1, arbitrary: fc.constant<Change>((value) => ({ value })) },
  { weight: 1, arbitrary: fc.constant<Change>((value) => textOf(value)) },
  { weight: 1, arbitrary: fc.constant<Change>((value) => `${textOf(value)}x`) },
  { weight: 1, arbitrary: fc.constant<Change>((value) => textOf(value).slice(0, -1)) },
  { weight: 1, arbitrary: fc.constant<Change>((value) => textOf(value).toUpperCase()) },
);

/** A value with one thing wrong: a leaf replaced, a property missing or too many. */
function spoilt(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return changes.map((change) => change(value));
  const keys = Object.keys(value);
  const object = value as Record<string, unknown>;
  const inside = keys.map((key) => spoilt(object[key]).map((inner) => withKey(value, key, inner)));
  const extra = fc
    .tuple(
      fc.constantFrom('__proto__', 'constructor', 'prototype', 'isAdmin', 'officeId', '', '\0', 'x'.repeat(300)),
      fc.constantFrom(...nasty),
    )
    .map(([key, inner]) => withKey(value, key, inner));
  const missing = keys.length === 0 ? [] : [fc.constantFrom(...keys).map((key) => without(value, key))];
  const whole = changes.map((change) => change(value));
  return fc.oneof(...inside, ...inside, ...missing, extra, whole);
}

/** Own keys only, so that `__proto__` is sent like any other name. */
function withKey(value: object, key: string, inner: unknown): unknown {
  if (Array.isArray(value)) return value.map((old: unknown, i) => (String(i) === key ? inner : old));
  const made: object = { ...value };
  Object.defineProperty(made, key, { value: inner, enumerable: true, configurable: true, writable: true });
  return made;
}
function without(value: object, key: string): unknown {
  if (Array.isArray(value)) return value.filter((_, i) => String(i) !== key);
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

const bytes = (type: string, text: string | Buffer) => fc.constant({ type, bytes: Buffer.from(text as string) });
const json = 'application/json';
// prettier-ignore
const oddJson = [
  '', '{', '{"a":', 'null', 'true', '[]', '"text"', '{"a":1}trailing', '{"__proto__":{"x":1}}', '{"constructor":{"prototype":{"x":1}}}',
  '{"a":1,"a":2}', '\ufeff{}', '{"a":1e999}', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '{"a":"\\ud800"}', '{"a":"\\u0000"}',
];
const raws = fc.oneof(
  ...oddJson.map((text) => bytes(json, text)),
  bytes(json, Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])),
  bytes(json, Buffer.from([0xc3, 0x28, 0x00])),
  bytes('text/plain', 'hello'),
  bytes('text/html', '<p>'),
  bytes('application/x-www-form-urlencoded', 'id=1&action=INVITED'),
  bytes('multipart/form-data; boundary=x', '--x\r\n\r\n--x--'),
  bytes('application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
  bytes('nonsense', '{}'),
  bytes(json, `{"text":"${'x'.repeat(2_000_000)}"}`),
);

const headerText = fc.constantFrom(
  '',
  ' ',
  'x'.repeat(9_000),
  "' or '1'='1",
  '\u00ff\u00fe',
  'null',
  '-1',
  '*',
  '%00',
  'W/"x"',
  '\u0080',
);
const oddHeaders = fc.record(
  {
    'x-office': headerText,
    'accept-language': fc.oneof(headerText, fc.constantFrom('es', 'es-MX,es;q=0.9', 'zz', ',,,')),
    'if-none-match': headerText,
    'idempotency-key': fc.oneof(headerText, fc.constant('k'.repeat(200))),
    cookie: fc.constantFrom(
      'anteroom=%00',
      '__Host-anteroom=%E0%A4%A',
      '=;=;',
      `a=${'b'.repeat(4_000)}`,
      '__proto__=x',
    ),
    'x-forwarded-for': headerText,
    'user-agent': headerText,
  },
  { requiredKeys: [] },
);

/** A path or a query is made of named parts, whatever became of it. */
const partOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;

/** Cases for one operation: ones that work (from the examples), fitting ones, and both with things wrong in each place. */
export function casesOf(op: Operation, examples: Example[], seed: number, count: number): Case[] {
  const part = (where: 'path' | 'query') => {
    const mine = op.parameters.filter((p) => p.in === where);
    return fc.record(Object.fromEntries(mine.map((p) => [p.name, fitting(p.schema)])), {
      requiredKeys: mine.filter((p) => where === 'path' || p.required).map((p) => p.name),
    });
  };
  const none = fc.constant({});
  const fit: fc.Arbitrary<Omit<Case, 'kind'>> = fc.record({
    params: part('path'),
    query: part('query'),
    headers: none,
    ...(op.body && { body: fitting(op.body) }),
  });
  const works = fc.constantFrom(...examples).map(({ params = {}, query = {}, body, raw }) => ({
    params,
    query,
    headers: {},
    ...(body !== undefined && { body }),
    ...(raw && { raw }),
  }));
  const start = fc.oneof({ weight: 1, arbitrary: fit }, { weight: 2, arbitrary: works });
  const wrong = start.chain((right): fc.Arbitrary<Omit<Case, 'kind'>> =>
    fc.oneof(
      ...(op.body
        ? Array<fc.Arbitrary<Omit<Case, 'kind'>>>(4).fill(spoilt(right.body).map((body) => ({ ...right, body })))
        : []),
      ...(Object.keys(right.params).length > 0
        ? Array<fc.Arbitrary<Omit<Case, 'kind'>>>(2).fill(
            spoilt(right.params).map((params) => ({ ...right, params: partOf(params) })),
          )
        : []),
      spoilt(right.query).map((query) => ({ ...right, query: partOf(query) })),
      oddHeaders.map((headers) => ({ ...right, headers: headers as Record<string, string> })),
      ...(op.body ? [raws.map((raw) => ({ ...right, raw }))] : []),
    ),
  );
  const of = (kind: string, arbitrary: fc.Arbitrary<Omit<Case, 'kind'>>, n: number, more: number): Case[] =>
    fc.sample(arbitrary, { seed: seed + more, numRuns: n }).map((made) => ({ kind, ...made }));
  const fifth = Math.ceil(count / 5);
  return [
    // First what works: some budgets are used up by a few dozen calls.
    ...of('working', works, fifth, 2),
    ...of('fitting', fit, fifth, 1),
    ...of('wrong', wrong, count - 2 * fifth, 3),
  ];
}
