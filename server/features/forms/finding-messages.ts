import { findingMessage } from '#questionnaire/loading/finding-messages.ts';
import type { Finding } from '#questionnaire/loading/findings.ts';

const mostErrors = 50;
const mostWarnings = 10;

/** Findings for a terminal: errors first, because one of fifty warnings hides the error that refuses the file. */
export function findingMessages(findings: readonly Finding[]): string[] {
  return [...linesOf(findings, 'error', mostErrors), ...linesOf(findings, 'warning', mostWarnings)];
}

function linesOf(findings: readonly Finding[], severity: Finding['severity'], most: number): string[] {
  const these = findings.filter((finding) => finding.severity === severity);
  if (these.length === 0) return [];
  const count = `${these.length} ${severity}${these.length === 1 ? '' : 's'}`;
  return [
    these.length > most ? `${count}, the first ${most}:` : `${count}:`,
    ...these.slice(0, most).map((finding) => `  ${severity}: ${whereOf(finding)}${findingMessage(finding, 'en')}`),
  ];
}

/** The item's linkId, which its author knows, and its position in the file. An item without one got a made-up linkId (`?1`) when it was read. */
function whereOf({ linkId, place }: Finding): string {
  if (linkId && !/^\?\d+$/.test(linkId)) return place ? `item "${linkId}" (${place}): ` : `item "${linkId}": `;
  return place ? `${place}: ` : '';
}
