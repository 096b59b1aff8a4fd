import type { EnableWhen, Item, ResponseItem } from '#questionnaire/questionnaire.ts';
import type { Peer } from './form-readers.ts';
import type { GeneratedForm } from './generated-forms.ts';

/** One question that a program reads in another way than we do. */
export interface Difference {
  peer: Peer;
  form: GeneratedForm;
  linkId: string;
  ours: string;
  theirs: string;
  /** The questions that count for us, and those of the form that are read differently. */
  answered: ReadonlySet<string>;
  differing: ReadonlySet<string>;
}

/** Why a program reads a question in another way than we do (docs/form-differences.md); undefined if nobody knows. */
export function knownDifference({ peer, form, linkId, theirs, answered, differing }: Difference): string | undefined {
  const { items, conditions } = conditionsOf(form.questionnaire.item ?? [], linkId);
  const given = answeredIn(form.response.item);
  const looksAt = conditions.map(({ question }) => question);
  const expressions = JSON.stringify(items.map(({ extension = [] }) => extension));
  const isCalculated = expressions.includes('calculatedExpression') && theirs === 'nothing';
  if (isCalculated && peer === 'LHC-Forms') return 'a calculation waits for the first change';
  if (isCalculated && expressions.includes('ordinal()')) return 'points of options are not known to expressions';
  const isHidden = (question: string) => given.has(question) && !answered.has(question);
  if (looksAt.some(isHidden)) return 'an answer to a question that is not asked counts';
  if (expressions.includes('%resource') && [...given].some(isHidden))
    return 'an answer to a question that is not asked counts';
  if (conditions.some(({ operator, question }) => operator === '!=' && !answered.has(question)))
    return 'without an answer, "!=" is not true';
  const isAboutDate = ({ answerDate }: EnableWhen) => answerDate !== undefined;
  if (peer === 'LHC-Forms' && conditions.some(isAboutDate)) return 'dates are never equal, earlier or later';
  if (looksAt.some((question) => differing.has(question))) return 'it follows from another difference';
  return undefined;
}

/** A question and the groups around it, with all their conditions. */
function conditionsOf(items: readonly Item[], linkId: string) {
  const path = pathTo(items, linkId);
  return { items: path, conditions: path.flatMap(({ enableWhen = [] }) => enableWhen) };
}

function pathTo(items: readonly Item[], linkId: string): Item[] {
  for (const item of items) {
    if (item.linkId === linkId) return [item];
    const inside = pathTo(item.item ?? [], linkId);
    if (inside.length > 0) return [item, ...inside];
  }
  return [];
}

function answeredIn(items: readonly ResponseItem[] = []): Set<string> {
  const found = items.flatMap(({ linkId, answer = [], item }) => [
    ...(answer.length > 0 ? [linkId] : []),
    ...answeredIn(item),
  ]);
  return new Set(found);
}
