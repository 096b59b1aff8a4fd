import type { Clock } from '#questionnaire/expressions/office-clock.ts';
import type { LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import { extensionsOf } from '#questionnaire/extensions.ts';
import { loadExpressions, loadModel } from '#questionnaire/expressions/fhirpath.ts';
import { ResultTooLarge } from '#questionnaire/expressions/expression-limits.ts';
import type { Expressions } from '#questionnaire/expressions/expression-library.ts';
import type { FhirElement, Questionnaire } from '#questionnaire/questionnaire.ts';
import { entriesOfDefinitions } from './definitions.ts';
import { evaluatorIn } from './evaluate-in-response.ts';
import type { ExtractableResponse, ExtractedEntry, Extraction, ExtractionProblem, Ids } from './extracted.ts';
import { extractionUrls } from './extraction-urls.ts';
import { observationsOf } from './observations.ts';
import { itemsInResponse, type ItemInResponse } from './items-in-response.ts';
import { entriesOfTemplates } from './templates.ts';

/** What is extracted, and from what. */
interface ExtractionInput {
  questionnaire: Questionnaire;
  response: ExtractableResponse;
  responseUrl: string;
  /** When the form was filed, by the office's clock. */
  clock: Clock;
  /** What the form was opened with. */
  launch?: LaunchContext | undefined;
}

/** A form becomes tens of resources; a template in a context inside another one could make millions. */
const mostEntries = 2_000;

let loading: Promise<Expressions> | undefined;

/**
 * The resources that a questionnaire says its answers are, by any of the three ways of Structured Data Capture: observations, definitions and
 * templates. What is not understood is reported and left out; the rest is extracted. Throws `ResultTooLarge` above 2,000.
 */
export async function extractResources(
  { questionnaire, response, responseUrl, clock, launch }: ExtractionInput,
  uuidOf: Extraction['uuidOf'],
): Promise<{ entries: ExtractedEntry[]; problems: ExtractionProblem[] }> {
  const problems: ExtractionProblem[] = [];
  const report = (problem: ExtractionProblem) => {
    const isKnown = problems.some(({ code, detail }) => code === problem.code && detail === problem.detail);
    if (!isKnown && problems.length < 50) problems.push(problem);
  };
  loading ??= loadExpressions();
  const [expressions, model] = [await loading, await loadModel()];
  const evaluate = evaluatorIn(questionnaire, response, { expressions, clock, launch }, report);
  const extraction: Extraction = { response, responseUrl, uuidOf, evaluate, report };
  const responseItems = itemsInResponse(questionnaire, response);

  /** The ids that an element allocates, with those of the elements around it. */
  const idsAt = (element: FhirElement, at: string, around: Ids): Ids => ({
    ...around,
    ...Object.fromEntries(
      extensionsOf(element, extractionUrls.allocateId).flatMap(({ valueString: name }) =>
        typeof name === 'string' ? [[name, `urn:uuid:${uuidOf(`allocated ${at} ${name}`)}`]] : [],
      ),
    ),
  });
  const tools = {
    model,
    extraction,
    idsAt: (responseItem: ItemInResponse, ids: Ids) => idsAt(responseItem.item.source, responseItem.at, ids),
  };

  let count = 0;
  const counted = (made: ExtractedEntry[]): ExtractedEntry[] => {
    count += made.length;
    if (count > mostEntries) throw new ResultTooLarge();
    return made;
  };
  const begunAt = (
    element: FhirElement,
    responseItem: ItemInResponse | undefined,
    children: ItemInResponse[],
    ids: Ids,
  ): ExtractedEntry[] =>
    counted([
      ...entriesOfDefinitions(element, responseItem, children, ids, tools),
      ...entriesOfTemplates(element, responseItem, ids, { questionnaire, extraction }),
    ]);
  const walk = (children: readonly ItemInResponse[], around: Ids): ExtractedEntry[] =>
    children.flatMap((responseItem) => {
      const ids = tools.idsAt(responseItem, around);
      return [
        ...begunAt(responseItem.item.source, responseItem, responseItem.children, ids),
        ...walk(responseItem.children, ids),
      ];
    });
  const rootIds = idsAt(questionnaire, '', {});
  const entries = [
    ...counted(observationsOf(questionnaire, responseItems, extraction)),
    ...begunAt(questionnaire, undefined, responseItems, rootIds),
    ...walk(responseItems, rootIds),
  ];
  return { entries, problems };
}
