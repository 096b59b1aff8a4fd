import { extensionOf, extensionsOf, isFlagged } from '#questionnaire/extensions.ts';
import type { FhirElement, Questionnaire, ResponseAnswer } from '#questionnaire/questionnaire.ts';
import { isRecord } from '#questionnaire/values.ts';
import type { ExtractedEntry, Extraction, Fields } from './extracted.ts';
import { extractionUrls } from './extraction-urls.ts';
import { vitalSignOf, vitalSigns } from './vital-signs.ts';
import type { ItemInResponse } from './items-in-response.ts';

/** What an item inherits from those around it. */
interface InheritedSettings {
  isExtracted: boolean;
  category: unknown[];
}

const survey = {
  coding: [
    {
      system: 'http://terminology.hl7.org/CodeSystem/observation-category',
      code: 'survey',
      display: 'Survey',
    },
  ],
};
/** US Core: any answer of a survey about a patient. */
const surveyProfile = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-observation-screening-assessment';

/** An Observation for each answer to a question that has codes and is marked; a group with codes has those below it as members. */
export function observationsOf(
  questionnaire: Questionnaire,
  responseItems: readonly ItemInResponse[],
  extraction: Extraction,
): ExtractedEntry[] {
  return responseItems.flatMap(
    (responseItem) => walk(responseItem, inherit(questionnaire, { isExtracted: false, category: [] })).all,
  );

  function walk(
    responseItem: ItemInResponse,
    around: InheritedSettings,
  ): { all: ExtractedEntry[]; outermost: ExtractedEntry[] } {
    const { source } = responseItem.item;
    const inherited = inherit(source, around);
    const below = responseItem.children.map((child) => walk(child, inherited));
    const all = below.flatMap((one) => one.all);
    const members = below.flatMap((one) => one.outermost);
    const marked = (source.code ?? []).filter((code) => isFlagged(code, extractionUrls.observation));
    const codes = marked.length > 0 ? marked : inherited.isExtracted ? (source.code ?? []) : [];
    if (codes.length === 0) return { all, outermost: members };
    const coding = codes.map(({ extension: _, ...code }) => code);
    const values = responseItem.item.isQuestion
      ? responseItem.answers.map((answer) => observationValue(responseItem, answer))
      : [{}];
    const own = values.flatMap((value, i): ExtractedEntry[] => {
      const hasMember = i === 0 && members.length > 0;
      if (!value || (!hasMember && Object.keys(value).length === 0)) return [];
      const observed = { coding, value, members: hasMember ? members : [] };
      return [entryOf(responseItem, i, observed, inherited.category)];
    });
    return { all: [...own, ...all], outermost: own.length > 0 ? own : members };
  }

  function entryOf(
    responseItem: ItemInResponse,
    nth: number,
    { coding, value, members }: { coding: Fields[]; value: Fields; members: ExtractedEntry[] },
    category: unknown[],
  ): ExtractedEntry {
    const { response, responseUrl, uuidOf } = extraction;
    const uuid = uuidOf(`observation ${responseItem.at} ${nth}`);
    const text = responseItem.item.source.text ?? '';
    const isByPatient = response.source?.reference === response.subject.reference;
    const sign = category.length === 0 ? vitalSignOf(coding, value) : undefined;
    const profile = sign ? sign.profile : category.length === 0 ? surveyProfile : undefined;
    const identifier = { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${uuid}` };
    return {
      fullUrl: `urn:uuid:${uuid}`,
      resource: {
        resourceType: 'Observation',
        ...(profile !== undefined && { meta: { profile: [profile] } }),
        identifier: [identifier],
        status: 'final',
        category: category.length > 0 ? category : [sign ? vitalSigns : survey],
        code: { coding, ...(text !== '' && { text }) },
        subject: response.subject,
        effectiveDateTime: response.authored,
        issued: response.authored,
        ...(isByPatient && { performer: [response.subject] }),
        ...value,
        ...(members.length > 0 && { hasMember: members.map(({ fullUrl }) => ({ reference: fullUrl })) }),
        derivedFrom: [{ reference: responseUrl }],
      },
      request: {
        method: 'POST',
        url: 'Observation',
        ifNoneExist: `identifier=${identifier.system}|${identifier.value}`,
      },
    };
  }
}

function inherit(element: FhirElement, around: InheritedSettings): InheritedSettings {
  const mark = extensionOf(element, extractionUrls.observation);
  const categories = extensionsOf(element, extractionUrls.observationCategory)
    .map((extension) => extension['valueCodeableConcept'])
    .filter(isRecord);
  return {
    isExtracted: mark ? mark['valueBoolean'] !== false : around.isExtracted,
    category: categories.length > 0 ? categories : around.category,
  };
}

/** An answer as the value of an Observation; undefined for a file or a reference, which cannot be one. */
function observationValue({ item }: ItemInResponse, answer: ResponseAnswer): Fields | undefined {
  const { valueDecimal, valueInteger, valueCoding, valueDate, valueUri } = answer;
  const amount = valueDecimal ?? valueInteger;
  const unit = item.units[0];
  if (amount !== undefined && (unit || valueDecimal !== undefined)) {
    const { system, code, display } = unit ?? {};
    return {
      valueQuantity: {
        value: amount,
        ...(display && { unit: display }),
        ...(system && { system }),
        ...(code && { code }),
      },
    };
  }
  if (valueInteger !== undefined) return { valueInteger };
  if (valueCoding) return { valueCodeableConcept: conceptOf(valueCoding) };
  if (valueDate) return { valueDateTime: valueDate };
  if (valueUri) return { valueString: valueUri };
  for (const name of ['valueBoolean', 'valueString', 'valueDateTime', 'valueTime', 'valueQuantity'] as const)
    if (answer[name] !== undefined) return { [name]: answer[name] };
  return undefined;
}

/** A coding as a concept; a choice without a code is only words. */
export const conceptOf = (coding: { code?: unknown; display?: unknown }): Fields =>
  coding.code === undefined ? { text: coding.display } : { coding: [coding] };
