import { expressionOf, extensionsOf } from '#questionnaire/extensions.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { Extension, FhirElement } from '#questionnaire/questionnaire.ts';
import { isRecord } from '#questionnaire/values.ts';
import { linkIdOfItem, type ExtractedEntry, type Extraction, type Fields, type Ids } from './extracted.ts';
import { extractionUrls } from './extraction-urls.ts';
import { partOf, requestOf, urlOf } from './entry-requests.ts';
import { choiceFor, fitValue } from './fit-value.ts';
import { isKnownType } from './lists.ts';
import { elementOf, type Element, type Model } from './model.ts';
import type { ItemInResponse } from './items-in-response.ts';

/** An element that is being filled, and the elements below it that exist already, by name and slice. */
interface Node {
  /** Its path in definitions: `Patient.name`, with slices. */
  path: string;
  fields: Fields;
  below: Element['below'];
  known: Map<string, Node>;
}

interface ExtractionStart {
  node: Node;
  extension: Extension;
  responseItem: ItemInResponse | undefined;
  name: string;
}

/** The resources that begin at an element and are filled by the definitions of the items below it. */
export function entriesOfDefinitions(
  element: FhirElement,
  responseItem: ItemInResponse | undefined,
  children: readonly ItemInResponse[],
  ids: Ids,
  {
    model,
    extraction,
    idsAt,
  }: { model: Model; extraction: Extraction; idsAt: (responseItem: ItemInResponse, ids: Ids) => Ids },
): ExtractedEntry[] {
  const started = startsOf(element).flatMap(({ extension, type }, i): ExtractionStart[] => {
    if (!isKnownType(type) || model.type2Parent[type] !== 'DomainResource') {
      extraction.report({ code: 'definition', linkId: linkIdOfItem(responseItem?.item), detail: type });
      return [];
    }
    const fields: Fields = { resourceType: type };
    const node: Node = { path: type, fields, below: { type, path: '' }, known: new Map() };
    return [{ node, extension, responseItem, name: `definition ${responseItem?.at ?? ''} ${i}` }];
  });
  if (started.length === 0) return [];
  const nodes = started.map(({ node }) => node);
  addValues(element, responseItem, ids, nodes);
  for (const child of children) fillFrom(child, nodes, ids);
  return started.flatMap(({ node, extension, name }): ExtractedEntry[] => {
    const resource = node.fields as ExtractedEntry['resource'];
    if (Object.keys(resource).length === 1) return [];
    const start = { extension, responseItem, ids };
    const request = requestOf(resource, start, extraction);
    // An answer may be the id of the resource to update.
    if (typeof resource['id'] === 'string' && request.method === 'POST') {
      request.method = 'PUT';
      request.url = `${resource.resourceType}/${resource['id']}`;
    }
    const fullUrl = urlOf(start, extraction) ?? `urn:uuid:${extraction.uuidOf(name)}`;
    return [{ fullUrl, resource, request }];
  });

  /** Fills in the answers of an item and of those below it. Another resource may begin there, which takes them over. */
  function fillFrom(child: ItemInResponse, around: readonly Node[], outerIds: Ids): void {
    const { item } = child;
    const own = idsAt(child, outerIds);
    const begun = startsOf(item.source).map(({ type }) => type);
    const open = around.filter((node) => begun.length === 0 || !begun.includes(node.below.type));
    if (begun.length > 0 && open.length === 0) return;
    const { definition } = item.source;
    const target = definition === undefined ? undefined : pathIn(definition);
    let inside: readonly Node[] = begun.length > 0 ? [] : open;
    if (target !== undefined) {
      if (item.isQuestion)
        for (const answer of child.answers) {
          const [field, value] = Object.entries(answer).find(([name]) => name.startsWith('value')) ?? [];
          if (field !== undefined) setAt(open, target, value, { item, field });
        }
      else {
        const groups = open.map((node) => enter(node, target, true) ?? node);
        inside = groups;
      }
    }
    addValues(item.source, child, own, inside);
    for (const below of child.children) fillFrom(below, inside, own);
  }

  /** Values that nobody is asked for: fixed ones and expressions. */
  function addValues(owner: FhirElement, at: ItemInResponse | undefined, own: Ids, targets: readonly Node[]): void {
    for (const extension of extensionsOf(owner, extractionUrls.definitionValue)) {
      const definition = partOf(extension, 'definition');
      const path = definition?.['valueUri'] ?? definition?.['valueString'] ?? definition?.['valueCanonical'];
      if (typeof path !== 'string') continue;
      const fixed = partOf(extension, 'fixed-value');
      const fixedField = fixed && Object.keys(fixed).find((name) => name.startsWith('value'));
      const expression = expressionOf(partOf(extension, 'expression'))?.expression ?? textIn(extension);
      const values = fixedField
        ? [fixed[fixedField as `value${string}`]]
        : expression === undefined
          ? []
          : extraction.evaluate(expression, at, own);
      for (const value of values)
        setAt(targets, pathIn(path), value, { item: at?.item, field: fixedField ?? undefined });
    }
  }

  function setAt(
    targets: readonly Node[],
    path: string,
    value: unknown,
    about: { item: FormItem | undefined; field: string | undefined },
  ): void {
    const node = targets.find((one) => startsWith(path, one.path));
    if (!node) return;
    const cut = path.lastIndexOf('.');
    const parent = enter(node, path.slice(0, cut), false);
    const element = parent && elementOf(model, parent.below, withoutSlice(path.slice(cut + 1)));
    if (!parent || !element) {
      extraction.report({ code: 'definition', linkId: linkIdOfItem(about.item), detail: path });
      return;
    }
    const choice = element.choices.length > 0 ? choiceFor(element.choices, value, about.field) : undefined;
    if (element.choices.length > 0 && choice === undefined) return;
    const type =
      choice === undefined
        ? element.type
        : /^(String|Boolean|Integer|Decimal|Date|DateTime|Time|Uri|Code|Instant|Markdown|PositiveInt|UnsignedInt)$/.test(
              choice,
            )
          ? choice.charAt(0).toLowerCase() + choice.slice(1)
          : choice;
    const fitting = fitValue(value, type, about.item);
    if (fitting === undefined) return;
    const name = `${element.name}${choice ?? ''}`;
    if (!element.isList) parent.fields[name] = fitting;
    else parent.fields[name] = [...((parent.fields[name] as unknown[] | undefined) ?? []), fitting];
  }

  /** The node of a path below another; `isNew`: a repetition of its own. Undefined if the path does not lead there. */
  function enter(from: Node, path: string, isNew: boolean): Node | undefined {
    if (path === from.path) return from;
    if (!startsWith(path, from.path)) return undefined;
    const steps = path.slice(from.path.length + 1).split('.');
    let node = from;
    for (const [i, step] of steps.entries()) {
      const element = elementOf(model, node.below, withoutSlice(step));
      if (!element || element.choices.length > 0) return undefined;
      const isLast = i === steps.length - 1;
      const before = node.known.get(step);
      if (before && !(isNew && isLast && element.isList)) {
        node = before;
        continue;
      }
      const fields: Fields = {};
      const next: Node = { path: `${node.path}.${step}`, fields, below: element.below, known: new Map() };
      node.known.set(step, next);
      if (element.isList)
        node.fields[element.name] = [...((node.fields[element.name] as unknown[] | undefined) ?? []), fields];
      else node.fields[element.name] = fields;
      node = next;
    }
    return node;
  }
}

/** The resources that begin at an element, in either version of the guide. */
function startsOf(element: FhirElement): { extension: Extension; type: string }[] {
  const newer = extensionsOf(element, extractionUrls.definition).map((extension) => {
    const definition = partOf(extension, 'definition');
    const address = definition?.['valueCanonical'] ?? definition?.['valueUri'];
    return { extension, type: typeof address === 'string' ? lastOf(address) : '' };
  });
  const older = extensionsOf(element, extractionUrls.itemContext).map((extension) => {
    const code = extension['valueCode'];
    const query: unknown = isRecord(extension['valueExpression'])
      ? extension['valueExpression']['expression']
      : undefined;
    const type = typeof code === 'string' ? code : typeof query === 'string' ? (/^\w+/.exec(query)?.[0] ?? '') : '';
    return { extension: { url: extension.url }, type };
  });
  return [...newer, ...older].filter(({ type }) => type !== '');
}

/** Of a profile's address only the type of the resource is known if it is FHIR's own. */
const lastOf = (address: string): string => address.replace(/\|.*$/, '').split('/').at(-1) ?? '';

/** `http://…/Patient#Patient.name.given` is `Patient.name.given`. */
const pathIn = (definition: string): string => definition.slice(definition.indexOf('#') + 1);

const startsWith = (path: string, start: string): boolean => path === start || path.startsWith(`${start}.`);
const withoutSlice = (step: string): string => step.replace(/:.*$/, '');

function textIn(extension: Extension): string | undefined {
  const text = partOf(extension, 'expression')?.['valueString'];
  return typeof text === 'string' ? text : undefined;
}
