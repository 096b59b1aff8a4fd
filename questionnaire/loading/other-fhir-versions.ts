import { enableWhen, item, questionnaire, type Shape } from './fhir-fields.ts';
import type { Report } from './read-context.ts';

/** Fields that only other versions of FHIR have, and which version has them. */
const versionOfField: Readonly<Record<string, string>> = {
  option: 'STU3',
  options: 'STU3',
  hasAnswer: 'STU3',
  group: 'DSTU2',
  question: 'DSTU2',
  answerConstraint: 'R5',
  disabledDisplay: 'R5',
  versionAlgorithmString: 'R5',
  versionAlgorithmCoding: 'R5',
  copyrightLabel: 'R5',
};
const harmlessInR4 = new Set(['versionAlgorithmString', 'versionAlgorithmCoding', 'copyrightLabel']);

/** Reports a field that R4 does not have if it shows that the file is written for another version, or changes what an item means. */
export function reportUnknownField(field: string, value: unknown, shape: Shape, place: string, report: Report): void {
  if (shape !== item && shape !== enableWhen && shape !== questionnaire) return;
  const version = Object.hasOwn(versionOfField, field) ? versionOfField[field] : undefined;
  if (version) report('other_version', harmlessInR4.has(field) ? 'warning' : 'error', place, version);
  else if (shape === item && /^initial[A-Z]/.test(field)) report('other_version', 'error', place, 'STU3');
  else if (shape === item && field === 'modifierExtension' && value) report('extension_not_known', 'error', place);
}
