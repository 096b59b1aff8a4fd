/** As much of JSON Schema as the vendors' documents use. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  if?: Schema;
  then?: Schema;
  additionalProperties?: boolean | Schema;
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  nullable?: boolean;
  const?: unknown;
  enum?: unknown[];
  value?: unknown;
}

export interface Document {
  paths: Record<string, unknown>;
  components: Record<string, Record<string, unknown>>;
}

/** What a reference within the document points at. */
export function at(document: Document, ref: string): Schema {
  const found = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((inside, key) => (inside as Record<string, unknown>)[key.replaceAll('~1', '/')], document);
  if (found === undefined) throw new Error(`${ref} is not in the document`);
  return found as Schema;
}

const made = new WeakMap<Schema, Schema>();

/**
 * The same schema with references put in, subclasses told apart by their discriminator, and nothing allowed that it does not name:
 * a misspelt parameter is an error here, although many a vendor ignores it.
 */
export function strictly(document: Document, given: Schema, asItself = false): Schema {
  const known = asItself ? undefined : made.get(given);
  if (known) return known;
  const schema = given.$ref ? at(document, given.$ref) : given;
  const inner = (one: Schema) => strictly(document, one);
  const result: Schema = {};
  if (!asItself) made.set(given, result);

  if (schema.discriminator?.mapping && !asItself) {
    const { propertyName, mapping } = schema.discriminator;
    return Object.assign(result, {
      type: 'object',
      required: [propertyName],
      properties: { [propertyName]: { enum: Object.keys(mapping) } },
      allOf: Object.entries(mapping).map(([name, ref]) => ({
        if: { properties: { [propertyName]: { const: name } } },
        then: flat(document, at(document, ref)),
      })),
    });
  }
  if (schema.allOf) return Object.assign(result, flat(document, schema));
  const { properties, items, additionalProperties, anyOf, oneOf, ...rest } = schema;
  return Object.assign(result, rest, {
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])),
      additionalProperties:
        typeof additionalProperties === 'object' ? inner(additionalProperties) : (additionalProperties ?? false),
    }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
  });
}

/** All parts of an `allOf` as one object, so that what none of them names can be refused. */
function flat(document: Document, schema: Schema): Schema {
  const parts = (schema.allOf ?? []).map((one) => (one.$ref ? at(document, one.$ref) : one));
  const whole = [...parts, { ...schema, allOf: undefined }].map((part) =>
    part.allOf ? flat(document, part) : strictly(document, part, true),
  );
  return {
    type: 'object',
    properties: Object.assign({}, ...whole.map(({ properties = {} }) => properties)) as Record<string, Schema>,
    required: whole.flatMap(({ required = [] }) => required).filter((name, i, all) => all.indexOf(name) === i),
    additionalProperties: false,
  };
}
