import qs from 'qs';
import { strictSchema, type Document, type Schema } from './contract-schema.ts';

/** The parsed body of a call; throws if it does not match its content type. */
export async function readBody(
  document: Document,
  schema: Schema,
  kind: string,
  contentType: string,
  raw: Buffer,
): Promise<unknown> {
  if (/^application\/(\w+\+)?json$/.test(kind)) return JSON.parse(raw.toString());
  if (kind === 'application/x-www-form-urlencoded')
    return parseTyped(document, schema, qs.parse(raw.toString(), { depth: 10 }) as Record<string, unknown>);
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } }).formData();
  const { properties = {} } = strictSchema(document, schema);
  const pairs = [...form.entries()].map(([name, value]) => {
    const { format, items } = properties[name.split('[')[0] ?? ''] ?? {};
    const isFile = typeof value !== 'string';
    if (isFile !== ((items ?? { format }).format === 'binary'))
      throw new Error(`${name} is ${isFile ? '' : 'not '}a file`);
    return [name, isFile ? `${value.name}, ${value.type}, ${value.size} bytes` : value];
  });
  const flat = pairs.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const nested = qs.parse(flat.join('&'), { depth: 10 }) as Record<string, unknown>;
  return parseTyped(document, schema, nested);
}

/** Converts the text values of a query or form to the types in its schema: a boolean, a number, or JSON for anything with parts. */
export function parseTyped(
  document: Document,
  schema: Schema,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const { properties = {} } = strictSchema(document, schema);
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
