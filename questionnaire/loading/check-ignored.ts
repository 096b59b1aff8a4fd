import { urls } from '#questionnaire/extensions.ts';
import type { Form } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { FhirElement } from '#questionnaire/questionnaire.ts';
import type { ReportItem } from './report-item.ts';

const fhir = 'http://hl7.org/fhir/StructureDefinition/';
const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-';

/** Published extensions that change how a form looks or works elsewhere, and do nothing here. */
const ignored: readonly string[] = [
  `${fhir}rendering-style`,
  `${fhir}rendering-styleSensitive`,
  `${fhir}questionnaire-unitOpen`,
  `${fhir}questionnaire-unitSupplementalSystem`,
  `${sdc}choiceColumn`,
  `${sdc}columnCount`,
  `${sdc}width`,
  `${sdc}keyboard`,
  `${sdc}entryMode`,
  `${sdc}lookupQuestionnaire`,
  `${sdc}preferredTerminologyServer`,
  `${sdc}sourceQueries`,
  `${sdc}sourceStructureMap`,
  `${sdc}targetStructureMap`,
];

/** Controls whose items are shown below each other as usual. */
const ignoredControls: readonly string[] = ['table', 'htable', 'gtable', 'atable', 'header', 'footer', 'lookup'];

/** Reports what a form says and nobody reads here, each once, at the first item that says it. */
export function checkIgnored({ questionnaire, all }: Form, report: ReportItem): void {
  const reportedNames = new Set<string>();
  const tell = (item: FormItem | undefined, name: string) => {
    if (!reportedNames.has(name)) report(item, 'not_read', 'warning', 'extension', name);
    reportedNames.add(name);
  };
  const look = (item: FormItem | undefined, element: FhirElement | undefined) => {
    if (!Array.isArray(element?.extension)) return;
    for (const { url } of element.extension) if (ignored.includes(url)) tell(item, url.slice(url.lastIndexOf('/') + 1));
  };
  look(undefined, questionnaire);
  for (const item of all) {
    const { source, control = '' } = item;
    for (const element of [source, source._text, ...(source.answerOption ?? [])]) look(item, element);
    for (const { valueCoding, _valueString } of source.answerOption ?? []) {
      look(item, valueCoding?._display);
      look(item, _valueString);
    }
    if (ignoredControls.includes(control)) tell(item, `${urls.itemControl.split('/').at(-1)} "${control}"`);
  }
}
