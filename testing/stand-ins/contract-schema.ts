/** The parts of JSON Schema that the vendors' documents use. */
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

/** Resolves a reference within the document. */
export function resolveReference(document: Document, ref: string): Schema {
  const found = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((inside, key) => (inside as Record<string, unknown>)[key.replaceAll('~1', '/')], document);
  if (found === undefined) throw new Error(`${ref} is not in the document`);
  return found as Schema;
}

const made = new WeakMap<Schema, Schema>();

/**
 * The schema with references resolved, subclasses selected by their discriminator, and unknown properties forbidden: a misspelled parameter
 * is an error here, although many vendors ignore it.
 */
export function strictSchema(document: Document, given: Schema, asItself = false): Schema {
  const known = asItself ? undefined : made.get(given);
  if (known) return known;
  const schema = given.$ref ? resolveReference(document, given.$ref) : given;
  const inner = (one: Schema) => strictSchema(document, one);
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
        then: flat(document, resolveReference(document, ref)),
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

/** Merges the parts of an `allOf` into one object, so that unknown properties can be refused. */
function flat(document: Document, schema: Schema): Schema {
  const parts = (schema.allOf ?? []).map((one) => (one.$ref ? resolveReference(document, one.$ref) : one));
  const whole = [...parts, { ...schema, allOf: undefined }].map((part) =>
    part.allOf ? flat(document, part) : strictSchema(document, part, true),
  );
  return {
    type: 'object',
    properties: Object.assign({}, ...whole.map(({ properties = {} }) => properties)) as Record<string, Schema>,
    required: whole.flatMap(({ required = [] }) => required).filter((name, i, all) => all.indexOf(name) === i),
    additionalProperties: false,
  };
}
