import { operators } from '#questionnaire/questionnaire.ts';
import { inventLinkId, type ReadContext, type Report } from './read-context.ts';

type Fields = Record<string, unknown>;

const knownOperators: readonly string[] = operators;

/** Gives an item, whose fields are read already, what every item must have, and removes what nobody could evaluate. */
export function completeItem(item: Fields, place: string, context: ReadContext): void {
  const linkId = completeLinkId(item, place, context);
  completeType(item, place, linkId, context.report);
  removeUnknownBehavior(item, place, linkId, context.report);
  removeIncompleteConditions(item, place, linkId, context.report);
}

function completeLinkId(item: Fields, place: string, context: ReadContext): string {
  let linkId = item['linkId'];
  if (typeof linkId !== 'string' || linkId.trim() === '') {
    linkId = item['linkId'] = inventLinkId(context);
    context.report('link_id_missing', 'error', place, undefined, linkId as string);
  }
  // Answers are stored under it, and JSON that has it as a field is refused.
  if (linkId === '__proto__') context.report('link_id_reserved', 'error', `${place}.linkId`, linkId, linkId);
  return linkId as string;
}

function completeType(item: Fields, place: string, linkId: string, report: Report): void {
  if (item['type'] !== undefined) return;
  item['type'] = Array.isArray(item['item']) ? 'group' : 'string';
  report('type_missing', 'error', place, undefined, linkId);
}

function removeUnknownBehavior(item: Fields, place: string, linkId: string, report: Report): void {
  const behavior = item['enableBehavior'];
  if (behavior === undefined || behavior === 'all' || behavior === 'any') return;
  report('wrong_shape', 'error', `${place}.enableBehavior`, 'any_or_all', linkId);
  delete item['enableBehavior'];
}

function removeIncompleteConditions(item: Fields, place: string, linkId: string, report: Report): void {
  const conditions = item['enableWhen'];
  if (!Array.isArray(conditions)) return;
  item['enableWhen'] = conditions.filter(({ question, operator }: Fields, i) => {
    const where = `${place}.enableWhen[${i}]`;
    if (typeof question !== 'string') report('condition_without_question', 'error', where, undefined, linkId);
    else if (typeof operator !== 'string' || !knownOperators.includes(operator))
      report('condition_operator_wrong', 'error', where, String(operator ?? ''), linkId);
    else return true;
    return false;
  });
}
