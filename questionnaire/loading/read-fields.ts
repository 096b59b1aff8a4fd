import { limits } from '#questionnaire/questionnaire.ts';
import { concept, contained, definedConcept, extension, item, option, type Kind, type Shape } from './fhir-fields.ts';
import { reportUnknownField } from './other-fhir-versions.ts';
import { completeItem } from './read-item.ts';
import { readAnything, readFlag, readNumber, readText } from './read-primitives.ts';
import { inventLinkId, isObject, type ReadContext } from './read-context.ts';

type Fields = Record<string, unknown>;

/** Reads the fields that the shape has. A field of another kind is left out and reported. */
export function readFields(value: Fields, shape: Shape, place: string, depth: number, context: ReadContext): Fields {
  const fields: Fields = {};
  for (const field of Object.keys(value)) {
    const fieldValue = value[field];
    if (fieldValue === null || fieldValue === undefined) continue;
    const fieldPlace = place ? `${place}.${field}` : field;
    const kind = kindOf(field, shape);
    if (kind === undefined) {
      reportUnknownField(field, fieldValue, shape, fieldPlace, context.report);
      continue;
    }
    const read = readField(fieldValue, kind, fieldPlace, depth, context);
    if (read === undefined) context.report('wrong_shape', 'error', fieldPlace, nameOf(kind));
    else fields[field] = read;
  }
  return fields;
}

/** What a field of that shape should be; undefined if the shape does not have it. */
function kindOf(field: string, shape: Shape): Kind | undefined {
  if (shape === extension && /^_?value[A-Z]\w*$/.test(field)) return 'anything';
  const kind = Object.hasOwn(shape, field) ? shape[field] : undefined;
  return typeof kind === 'function' ? kind() : kind;
}

function readField(value: unknown, kind: Kind, place: string, depth: number, context: ReadContext): unknown {
  switch (kind) {
    case 'text':
      return readText(value, place, context.report);
    case 'flag':
      return readFlag(value, place, context.report);
    case 'number':
    case 'whole':
      return readNumber(value, kind, place, context.report);
    case 'anything':
      return readAnything(value, place, context.report);
    default:
      if (isList(kind)) return readList(value, kind[0], place, depth, context);
      return isObject(value) ? readElement(value, kind, place, depth, context) : undefined;
  }
}

function readList(
  value: unknown,
  shape: Shape,
  place: string,
  depth: number,
  context: ReadContext,
): Fields[] | undefined {
  if (!Array.isArray(value)) {
    if (!isObject(value)) return undefined;
    context.report('wrong_shape', 'warning', place, 'list');
    return [readElement(value, shape, place, depth, context)];
  }
  const elements = shape === option || shape === concept ? limitOptions(value, place, context) : (value as unknown[]);
  const list: Fields[] = [];
  for (const [i, element] of elements.entries()) {
    if (shape === item && context.itemCount >= limits.items) {
      context.report('too_many_items', 'error', place, String(limits.items));
      break;
    }
    const elementPlace = `${place}[${i}]`;
    if (shape === contained && isTemplate(element)) {
      const template = readAnything(element, elementPlace, context.report);
      if (isObject(template)) list.push(template);
    } else if (isObject(element)) list.push(readElement(element, shape, elementPlace, depth, context));
    else if (element !== null) context.report('wrong_shape', 'error', elementPlace, 'object');
  }
  return list;
}

/** A contained resource that answers are extracted into. */
const isTemplate = (element: unknown): boolean =>
  isObject(element) &&
  typeof element['resourceType'] === 'string' &&
  !['ValueSet', 'CodeSystem'].includes(element['resourceType']);

function limitOptions(options: unknown[], place: string, { report }: ReadContext): unknown[] {
  if (options.length <= limits.options) return options;
  report('too_many_options', 'error', place, String(limits.options));
  return options.slice(0, limits.options);
}

/** The shapes that contain themselves. */
const nestedShapes: ReadonlySet<Shape> = new Set([item, extension, concept, definedConcept]);

function readElement(value: Fields, shape: Shape, place: string, depth: number, context: ReadContext): Fields {
  const isNested = nestedShapes.has(shape);
  if (isNested && depth >= limits.depth) {
    context.report('too_deep', 'error', place, String(limits.depth));
    return shape === item ? { linkId: inventLinkId(context), type: 'group' } : {};
  }
  if (shape === item) context.itemCount += 1;
  const element = readFields(value, shape, place, isNested ? depth + 1 : depth, context);
  if (shape === item) completeItem(element, place, context);
  if (shape === extension && element['url'] === undefined) element['url'] = '';
  return element;
}

function isList(kind: Kind): kind is readonly [Shape] {
  return Array.isArray(kind);
}

function nameOf(kind: Kind): string {
  return typeof kind === 'string' ? kind : isList(kind) ? 'list' : 'object';
}
