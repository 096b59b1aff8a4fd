import { extensionsOf } from '#questionnaire/extensions.ts';
import type { Extension } from '#questionnaire/questionnaire.ts';
import type { ExtractedEntry, Extraction, Ids } from './extracted.ts';
import type { ItemInResponse } from './items-in-response.ts';

/** An extension that begins a resource: its parts are FHIRPath. */
interface ResourceStart {
  extension: Extension;
  responseItem: ItemInResponse | undefined;
  ids: Ids;
}

/** The part of a complex extension. */
export const partOf = (extension: Extension, url: string): Extension | undefined => extensionsOf(extension, url)[0];

function textIn(
  { extension, responseItem, ids }: ResourceStart,
  part: string,
  extraction: Extraction,
): string | undefined {
  const value = partOf(extension, part);
  const expression = value?.['valueString'] ?? value?.['valueUri'];
  if (typeof expression !== 'string') return undefined;
  const [found] = extraction.evaluate(expression, responseItem, ids);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The full URL of the resource, such as an id that was allocated for it. */
export const urlOf = (start: ResourceStart, extraction: Extraction) => textIn(start, 'fullUrl', extraction);

/** How the entry is written: an update if it has an id, else created. Sets the resource's id. */
export function requestOf(
  resource: ExtractedEntry['resource'],
  start: ResourceStart,
  extraction: Extraction,
): ExtractedEntry['request'] {
  const id = textIn(start, 'resourceId', extraction);
  if (id !== undefined) resource['id'] = id;
  const { resourceType } = resource;
  const conditions: Partial<ExtractedEntry['request']> = {};
  for (const name of ['ifNoneExist', 'ifNoneMatch', 'ifModifiedSince', 'ifMatch'] as const) {
    const text = textIn(start, name, extraction);
    if (text !== undefined) conditions[name] = text;
  }
  const how =
    id === undefined
      ? { method: 'POST' as const, url: resourceType }
      : { method: 'PUT' as const, url: `${resourceType}/${id}` };
  return { ...conditions, ...how };
}
