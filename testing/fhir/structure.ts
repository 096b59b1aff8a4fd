/** What is not FHIR R4 in a resource: names that its type does not have, values of another kind, empty values. Says nothing about cardinality. */
import r4 from 'fhirpath/fhir-context/r4/index.js';

interface Model {
  path2Type: Record<string, string>;
  type2Parent: Record<string, string>;
  choiceTypePaths: Record<string, string[]>;
  pathsDefinedElsewhere: Record<string, string>;
}
const { path2Type, type2Parent, choiceTypePaths, pathsDefinedElsewhere } = r4 as unknown as Model;

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const primitives: Record<string, RegExp> = {
  id: /^[A-Za-z0-9.-]{1,64}$/,
  'System.String': /^\S+$/,
  uri: /^\S+$/,
  url: /^\S+$/,
  canonical: /^\S+$/,
  code: /^\S+( \S+)*$/,
  date: /^\d{4}(-\d\d(-\d\d)?)?$/,
  dateTime: /^\d{4}(-\d\d(-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?)?)?$/,
  instant: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  time: /^\d\d:\d\d:\d\d(\.\d+)?$/,
  string: /\S/,
  markdown: /\S/,
  base64Binary: /^[A-Za-z0-9+/=\s]+$/,
};

/** The problems of a resource, each with its path; none if it is well-formed. */
export function structureProblems(resource: unknown): string[] {
  const problems: string[] = [];
  const resourceType = isFields(resource) ? resource['resourceType'] : undefined;
  if (!isFields(resource) || typeof resourceType !== 'string' || !type2Parent[resourceType])
    return [`${String(resourceType)} is no resource`];
  walk(resource, resourceType, resourceType);
  return problems;

  function walk(fields: Fields, path: string, at: string): void {
    if (Object.keys(fields).length === 0) problems.push(`${at} is empty`);
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'resourceType') continue;
      const bare = name.replace(/^_/, '');
      const found = elementOf(path, bare);
      const here = `${at}.${name}`;
      if (!found) problems.push(`${here} does not exist`);
      else
        for (const one of Array.isArray(value) ? value : [value])
          check(one, name.startsWith('_') ? 'Element' : found.type, found.path, here);
      if (Array.isArray(value) && value.length === 0) problems.push(`${here} is an empty list`);
    }
  }

  function check(value: unknown, type: string, path: string, at: string): void {
    const pattern = primitives[type];
    if (type === 'Resource') problems.push(...structureProblems(value).map((problem) => `${at}: ${problem}`));
    else if (pattern) {
      if (typeof value !== 'string' || !pattern.test(value))
        problems.push(`${at} is no ${type}: ${JSON.stringify(value)}`);
    } else if (type === 'boolean') {
      if (typeof value !== 'boolean') problems.push(`${at} is no boolean`);
    } else if (/^(decimal|integer|positiveInt|unsignedInt)$/.test(type)) {
      if (typeof value !== 'number') problems.push(`${at} is no number`);
    } else if (!isFields(value)) problems.push(`${at} is no ${type}`);
    else walk(value, /^(BackboneElement|Element)$/.test(type) && path !== 'Element' ? path : type, at);
  }
}

/** The element's own path and type, wherever the type inherits it from. */
function elementOf(path: string, name: string): { path: string; type: string } | undefined {
  const elsewhere = pathsDefinedElsewhere[path] ?? path;
  for (let owner: string | undefined = elsewhere; owner; owner = parentOf(owner)) {
    const full = `${owner}.${name}`;
    const defined = pathsDefinedElsewhere[full];
    if (defined) return { path: defined, type: path2Type[defined] ?? 'BackboneElement' };
    const type = path2Type[full];
    if (type) return { path: full, type };
    for (const [choice, types] of Object.entries(choiceTypePaths)) {
      if (!choice.startsWith(`${owner}.`)) continue;
      const found = types.find((one) => `${choice}${one}` === full);
      if (found)
        return {
          path: full,
          type: primitives[lower(found)] || /^(Boolean|Integer|Decimal)$/.test(found) ? lower(found) : found,
        };
    }
  }
  return undefined;
}

const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const parentOf = (path: string): string | undefined =>
  path.includes('.') ? path2Type[path] : path === 'Element' ? undefined : type2Parent[path];
