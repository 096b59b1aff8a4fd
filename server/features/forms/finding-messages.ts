import { findingMessage } from '#questionnaire/loading/finding-messages.ts';
import type { Finding } from '#questionnaire/loading/findings.ts';
import type { FileFinding } from './check-files.ts';

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

/** How many linkIds of alike findings are listed. */
const mostLinkIds = 5;

/** Findings for a terminal, those with the same code together: the first in full, of the others only where they are. */
export function groupedFindings(severity: Finding['severity'], findings: readonly FileFinding[]): string[] {
  const groups = Map.groupBy(findings, ({ code }) => code);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const line = `  ${severity}: ${whereOf(first)}${first.message}`;
    if (others.length === 0) return [line];
    const linkIds = [...new Set(others.map(({ linkId }) => linkId))].filter((linkId) => linkId !== undefined);
    const named = linkIds
      .slice(0, mostLinkIds)
      .map((linkId) => `"${linkId}"`)
      .join(', ');
    const rest = linkIds.length > mostLinkIds ? ', …' : '';
    return [line, `    and ${others.length} more like it${named && `: ${named}${rest}`}`];
  });
}

/** The item's linkId, which its author knows, and its position in the file. An item without one got a made-up linkId (`?1`) when it was read. */
function whereOf({ linkId, place }: Pick<Finding, 'linkId' | 'place'>): string {
  if (linkId && !/^\?\d+$/.test(linkId)) return place ? `item "${linkId}" (${place}): ` : `item "${linkId}": `;
  return place ? `${place}: ` : '';
}
