import type { FormItem } from '#questionnaire/form-item.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { addFinding, type Finding, type FindingCode } from './findings.ts';

/** Adds a finding about a field of an item; about the whole questionnaire if there is no item. */
export type ReportItem = (
  item: FormItem | undefined,
  code: FindingCode,
  severity: Finding['severity'],
  field?: string,
  detail?: string,
  expression?: string,
  cause?: string,
) => void;

/** An expression or a pattern may be thousands of characters long. */
const longestDetail = 200;

export function reportInto(findings: Finding[], questionnaire: Questionnaire): ReportItem {
  const paths = itemPaths(questionnaire);
  return (item, code, severity, field = '', detail = '', expression = '', cause = '') => {
    const place = [item && paths.get(item.source), field].filter((part) => part).join('.');
    addFinding(findings, {
      code,
      severity,
      place,
      linkId: item?.linkId ?? '',
      detail: detail.slice(0, longestDetail),
      itemText: (item?.source.text ?? '').slice(0, longestDetail),
      expression: expression.slice(0, longestDetail),
      cause: cause.slice(0, longestDetail),
    });
  };
}

/** Where each item is in the file, as `item[2].item[0]`. */
export function itemPaths(questionnaire: Questionnaire): Map<object, string> {
  const paths = new Map<object, string>();
  const walk = (items: Questionnaire['item'], above: string) =>
    items?.forEach((item, i) => {
      const path = `${above}item[${i}]`;
      paths.set(item, path);
      walk(item.item, `${path}.`);
    });
  walk(questionnaire.item, '');
  return paths;
}
