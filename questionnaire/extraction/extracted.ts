import type { FormItem } from '#questionnaire/form-item.ts';
import type { QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import type { ItemInResponse } from './items-in-response.ts';

export type Fields = Record<string, unknown>;

/** One entry of the transaction Bundle. */
export interface ExtractedEntry {
  fullUrl: string;
  resource: Fields & { resourceType: string };
  request: { method: 'POST' | 'PUT'; url: string } & Partial<
    Record<'ifNoneExist' | 'ifNoneMatch' | 'ifModifiedSince' | 'ifMatch', string>
  >;
}

/** What could not be extracted: an expression, or a definition or template that is not understood. */
export interface ExtractionProblem {
  code: 'expression' | 'definition' | 'template';
  linkId: string;
  detail: string;
}

/** The response whose answers are extracted: it says whom it is about. */
export interface ExtractableResponse extends QuestionnaireResponse {
  authored: string;
  subject: { reference: string };
  source?: { reference: string };
}

/** What every way of extracting needs. */
export interface Extraction {
  response: ExtractableResponse;
  /** The full URL of the response in the Bundle. */
  responseUrl: string;
  /** A UUID that is always the same for this response and this name: extracting twice gives the same Bundle. */
  uuidOf(name: string): string;
  /** The result of an expression at a place of the response; none if it fails, which is reported. */
  evaluate(expression: string, responseItem: ItemInResponse | undefined, ids: Ids): unknown[];
  report(problem: ExtractionProblem): void;
}

/** Allocated ids, by the name of their variable. */
export type Ids = Readonly<Record<string, string>>;

export const linkIdOfItem = (item: FormItem | undefined) => item?.linkId ?? '';
