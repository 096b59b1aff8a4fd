import { extensionOf, extensionsOf, textOf, expressionOf } from '#questionnaire/extensions.ts';
import type { Extension, FhirElement, Questionnaire } from '#questionnaire/questionnaire.ts';
import { isRecord } from '#questionnaire/values.ts';
import { linkIdOfItem, type ExtractedEntry, type Extraction, type Fields, type Ids } from './extracted.ts';
import { extractionUrls } from './extraction-urls.ts';
import { partOf, requestOf, urlOf } from './entry-requests.ts';
import type { ItemInResponse } from './items-in-response.ts';

/** The resources that a place's templates become; a template is a contained resource in which expressions name the values. */
export function entriesOfTemplates(
  element: FhirElement,
  responseItem: ItemInResponse | undefined,
  ids: Ids,
  { questionnaire, extraction }: { questionnaire: Questionnaire; extraction: Extraction },
): ExtractedEntry[] {
  const linkId = linkIdOfItem(responseItem?.item);
  const single = extensionsOf(element, extractionUrls.template).flatMap((extension, i): ExtractedEntry[] => {
    const template = templateNamed(partOf(extension, 'template')?.['valueReference']);
    if (!template) return [];
    return fillTemplate(template).flatMap((resource, n): ExtractedEntry[] => {
      if (!isResource(resource)) return [];
      const context = { extension, responseItem, ids };
      const name = `template ${responseItem?.at ?? ''} ${i} ${n}`;
      const request = requestOf(resource, context, extraction);
      return [{ fullUrl: urlOf(context, extraction) ?? `urn:uuid:${extraction.uuidOf(name)}`, resource, request }];
    });
  });
  const bundles = extensionsOf(element, extractionUrls.templateBundle).flatMap((extension, i) => {
    const template = templateNamed(extension['valueReference']);
    return (template ? fillTemplate(template) : []).flatMap(({ entry }, n) =>
      (Array.isArray(entry) ? (entry as unknown[]) : []).flatMap((one, m): ExtractedEntry[] => {
        if (!isRecord(one) || !isRecord(one['resource']) || !isResource(one['resource'])) return [];
        const { resource, fullUrl, request } = one as unknown as ExtractedEntry;
        const uuid = extraction.uuidOf(`bundle ${responseItem?.at ?? ''} ${i} ${n} ${m}`);
        return [
          {
            fullUrl: fullUrl ?? `urn:uuid:${uuid}`,
            resource,
            request: request ?? { method: 'POST', url: resource.resourceType },
          },
        ];
      }),
    );
  });
  return [...single, ...bundles];

  function templateNamed(reference: unknown): Fields | undefined {
    const name = isRecord(reference) ? reference['reference'] : undefined;
    const contained = (questionnaire.contained ?? []) as unknown[];
    const found = contained.find((one) => isRecord(one) && `#${String(one['id'])}` === name);
    if (isRecord(found)) return found;
    extraction.report({ code: 'template', linkId, detail: typeof name === 'string' ? name : '' });
    return undefined;
  }

  function fillTemplate({ id: _, ...template }: Fields): Fields[] {
    return instances(template, '').filter(isRecord);
  }

  /** What an element becomes: one for each result of its context, replaced by its value if it has one. */
  function instances(element: Fields, context: string): unknown[] {
    const { extension } = element as FhirElement;
    const own = expressionIn(extension, extractionUrls.templateContext);
    if (own === undefined) return valuesOf(element, context);
    const path = within(context, own);
    const count = Math.min(extraction.evaluate(path, responseItem, ids).length, mostInstances);
    return Array.from({ length: count }, (_, i) => valuesOf(element, `(${path}).skip(${i}).take(1)`)).flat();
  }

  function valuesOf(element: Fields, context: string): unknown[] {
    const value = expressionIn((element as FhirElement).extension, extractionUrls.templateValue);
    if (value !== undefined)
      return extraction.evaluate(within(context, value), responseItem, ids).slice(0, mostInstances);
    const filled = fillFields(element, context);
    return Object.keys(filled).length > 0 ? [filled] : [];
  }

  function fillFields(element: Fields, context: string): Fields {
    const filled: Fields = {};
    for (const [name, value] of Object.entries(element)) {
      if (name.startsWith('_')) continue;
      const beside = element[`_${name}`];
      const made =
        isRecord(beside) || Array.isArray(beside) ? primitives(value, beside, context) : fill(value, context);
      if (made !== undefined) filled[name] = made;
    }
    for (const [name, beside] of Object.entries(element)) {
      const bare = name.slice(1);
      if (!name.startsWith('_') || bare in element) continue;
      const made = primitives(undefined, beside, context);
      if (made !== undefined) filled[bare] = made;
    }
    return filled;
  }

  function fill(value: unknown, context: string): unknown {
    if (Array.isArray(value)) {
      const all = value.flatMap((one: unknown) =>
        isRecord(one) && !isTemplateMark(one) ? instances(one, context) : isRecord(one) ? [] : [one],
      );
      return all.length > 0 ? all : undefined;
    }
    return isRecord(value) ? instances(value, context)[0] : value;
  }

  /** A primitive whose value an expression replaces; its own value stands in for it in the template only. */
  function primitives(value: unknown, beside: unknown, context: string): unknown {
    if (Array.isArray(beside)) {
      const values = Array.isArray(value) ? (value as unknown[]) : [];
      const all = beside.flatMap((one: unknown, i) =>
        isRecord(one) ? primitive(values[i], one, context) : [values[i]],
      );
      const filled = all.filter((one) => one !== undefined && one !== null);
      return filled.length > 0 ? filled : undefined;
    }
    const found = isRecord(beside) ? primitive(value, beside, context) : [value];
    return found[0];
  }

  function primitive(value: unknown, beside: Fields, context: string): unknown[] {
    const { extension } = beside as FhirElement;
    const own = expressionIn(extension, extractionUrls.templateContext);
    const replaced = expressionIn(extension, extractionUrls.templateValue);
    const path = own === undefined ? context : within(context, own);
    if (replaced !== undefined) return extraction.evaluate(within(path, replaced), responseItem, ids).map(plain);
    const isThere = own === undefined || extraction.evaluate(path, responseItem, ids).length > 0;
    return isThere && value !== undefined ? [value] : [];
  }
}

/** An expression inside the context of the elements around it. */
const within = (context: string, expression: string) =>
  context === '' ? expression : `(${context}).select(${expression})`;

/** How often one element of a template may be repeated. */
const mostInstances = 200;

const isResource = (resource: Fields): resource is ExtractedEntry['resource'] =>
  typeof resource['resourceType'] === 'string';

const templateMarks: readonly unknown[] = [extractionUrls.templateContext, extractionUrls.templateValue];
const isTemplateMark = ({ url }: Fields): boolean => templateMarks.includes(url);

/** A string, or an expression in a field of its own. */
function expressionIn(extension: Extension[] | undefined, url: string): string | undefined {
  const element: FhirElement = extension ? { extension } : {};
  return textOf(element, url) ?? expressionOf(extensionOf(element, url))?.expression;
}

/** A coding where a code belongs, and an amount where a number does. */
const plain = (value: unknown): unknown =>
  isRecord(value) ? (value['code'] ?? value['value'] ?? value['reference']) : value;
