import type { Finding, FindingCode } from './findings.ts';

/** Adds a finding about one place in the file. */
export type Report = (
  code: FindingCode,
  severity: Finding['severity'],
  place?: string,
  detail?: string,
  linkId?: string,
) => void;

/** What the functions that read one questionnaire share. */
export interface ReadContext {
  report: Report;
  /** How many items were read so far. */
  itemCount: number;
  /** How many items have an invented linkId. */
  inventedLinkIds: number;
}

/** A linkId for an item that has none. */
export function inventLinkId(context: ReadContext): string {
  context.inventedLinkIds += 1;
  return `?${context.inventedLinkIds}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
