import qs from 'qs';
import { strictly, type Document, type Schema } from './contract-schema.ts';

/** The body of a call as data; throws a sentence when it is not what its content type says. */
export async function readBody(
  document: Document,
  schema: Schema,
  kind: string,
  contentType: string,
  raw: Buffer,
): Promise<unknown> {
  if (kind === 'application/json') return JSON.parse(raw.toString());
  if (kind === 'application/x-www-form-urlencoded')
    return typed(document, schema, qs.parse(raw.toString(), { depth: 10 }) as Record<string, unknown>);
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } }).formData();
  const { properties = {} } = strictly(document, schema);
  const pairs = [...form.entries()].map(([name, value]) => {
    const { format, items } = properties[name.split('[')[0] ?? ''] ?? {};
    const isFile = typeof value !== 'string';
    if (isFile !== ((items ?? { format }).format === 'binary'))
      throw new Error(`${name} is ${isFile ? '' : 'not '}a file`);
    return [name, isFile ? `${value.name}, ${value.type}, ${value.size} bytes` : value];
  });
  const flat = pairs.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const nested = qs.parse(flat.join('&'), { depth: 10 }) as Record<string, unknown>;
  return typed(document, schema, nested);
}

/** Text of a query or a form as what its schema says it is: a boolean, a number, or JSON for what has parts. */
export function typed(document: Document, schema: Schema, given: Record<string, unknown>): Record<string, unknown> {
  const { properties = {} } = strictly(document, schema);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const type = properties[name]?.type;
      if (typeof value !== 'string') return [name, value];
      if (type === 'boolean')
        return [name, ({ true: true, false: false, 1: true, 0: false } as Record<string, unknown>)[value] ?? value];
      if (type === 'integer' || type === 'number') return [name, value.trim() === '' ? value : Number(value)];
      if (type === 'array' || type === 'object') return [name, fromJson(value)];
      return [name, value];
    }),
  );
}

function fromJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
