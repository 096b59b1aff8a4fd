import { isRecord } from '#questionnaire/values.ts';

/**
 * The resource with references only to what is sent with it: `urls` has the address of each entry, by the address it had. A server that several
 * practices share would resolve any other one (`Patient/7`, `Practitioner?identifier=…`) among the records of all of them. What is left of such
 * a reference is its display text.
 */
export function withOwnReferences<R extends object>(resource: R, urls: ReadonlyMap<string, string>): R {
  const { identifier, ...others } = resource as { identifier?: unknown };
  const own = (ownFields(others, urls) ?? {}) as R;
  return identifier === undefined ? own : { ...own, identifier: ownValue(identifier, urls) };
}

function ownValue(value: unknown, urls: ReadonlyMap<string, string>, field = ''): unknown {
  if (Array.isArray(value)) {
    const ownValues = value.map((one: unknown) => ownValue(one, urls, field)).filter((one) => one !== undefined);
    return ownValues.length > 0 || value.length === 0 ? ownValues : undefined;
  }
  return isRecord(value) ? ownFields(value, urls, field) : value;
}

/** Undefined if nothing is left of it. */
function ownFields(
  fields: Record<string, unknown>,
  urls: ReadonlyMap<string, string>,
  field = '',
): Record<string, unknown> | undefined {
  const remainingFields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const own =
      name === 'reference' && typeof value === 'string'
        ? ownReference(value, urls)
        : isPointer(name, value, field)
          ? undefined
          : ownValue(value, urls, name);
    if (own !== undefined) remainingFields[name] = own;
  }
  const [first, second] = Object.keys(remainingFields);
  const isEmpty = first === undefined || (isExtension(field) && first === 'url' && second === undefined);
  return isEmpty && Object.keys(fields).length > Object.keys(remainingFields).length ? undefined : remainingFields;
}

const isExtension = (field: string) => field === 'extension' || field === 'modifierExtension';

/** References that begin with `#` name a contained resource. */
const ownReference = (reference: string, urls: ReadonlyMap<string, string>) =>
  reference.startsWith('#') ? reference : urls.get(reference);

/** A reference by an identifier, or the address of a file on the server itself. An extension's url is only its name. */
function isPointer(name: string, value: unknown, field: string): boolean {
  if (name === 'identifier') return isRecord(value);
  return name === 'url' && !isExtension(field) && typeof value === 'string' && !/^[a-z][a-z\d+.-]*:/i.test(value);
}
