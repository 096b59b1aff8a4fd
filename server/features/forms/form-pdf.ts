import { evaluate, type EvaluationContext } from '#questionnaire/evaluation.ts';
import { enabledItems, type VisibleItem } from '#questionnaire/visible-items.ts';
import { helpOf, isLeftOutForReaders, type FormItem } from '#questionnaire/form-item.ts';
import { prefixOf, questionText } from '#questionnaire/form-texts.ts';
import { isOverwritten } from '#questionnaire/overwritten.ts';
import type { Attachment, Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import { locales } from '#questionnaire/language/language.ts';
import type { Language } from '#contract/shapes.ts';
import { createPdf, type PdfWriter } from '#server/kit/pdf/document.ts';
import { answerText } from './answer-text.ts';
import { fileIdOf } from './file-url.ts';
import { pdfMessages } from './pdf-messages.ts';

/** Everything that is printed on a filed form's PDF. */
export interface FormPdf {
  language: Language;
  questionnaire: Questionnaire;
  answers: Answers;
  /** The context in which the form was found complete: the day, and what its expressions enabled. */
  setting: EvaluationContext;
  formName: string;
  formType: string;
  formVersion: number;
  officeName: string;
  officeAddress: string;
  timeZone: string;
  patientName: string;
  birthDate: string | null;
  /** The owner of the phone. */
  filledBy: string;
  completedAt: Date;
  submissionId: string;
  amends: string | null;
  product: string;
}

export interface PdfPicture {
  content: Buffer;
  contentType: string;
}

/** In points: a little larger than a real card, so that both sides fit on one page. */
const photoSize = { width: 270, height: 175 };
const signatureSize = { width: 220, height: 90 };

/** A filed form as an accessible PDF: searchable text, its photos and signature, who, when and which version. */
export function createFormPdf(form: FormPdf, pictures: ReadonlyMap<string, PdfPicture>): Promise<Buffer> {
  const messages = pdfMessages[form.language];
  const pdf = createPdf({
    title: form.formName,
    author: form.officeName,
    product: form.product,
    language: form.language,
    date: form.completedAt,
    documentText: JSON.stringify([form.questionnaire, form.answers, form.patientName, form.officeName]),
  });
  pdf.title(form.formName);
  pdf.facts(factsOf(form));
  const items = enabledItems(evaluate(form.questionnaire, form.answers, form.setting), true).filter(
    ({ item, key }) => !isLeftOutForReaders(item, (form.answers[key] ?? []).length > 0),
  );
  for (const item of items) writeItem(pdf, form, item, pictures);
  return pdf.finish({ left: `${form.officeName} · ${form.formName} · ${form.submissionId}`, page: messages.page });
}

function factsOf(form: FormPdf): [string, string][] {
  const messages = pdfMessages[form.language];
  const day = (date: string) =>
    new Intl.DateTimeFormat(locales[form.language], { dateStyle: 'long', timeZone: 'UTC' }).format(
      new Date(`${date}T00:00:00Z`),
    );
  const at = new Intl.DateTimeFormat(locales[form.language], {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: form.timeZone,
  }).format(form.completedAt);
  return [
    [messages.patient, form.patientName],
    ...(form.birthDate ? [[messages.born, day(form.birthDate)] as [string, string]] : []),
    ...(form.filledBy === form.patientName ? [] : [[messages.filledBy, form.filledBy] as [string, string]]),
    [messages.submitted, at],
    [messages.office, form.officeName],
    [messages.address, form.officeAddress],
    [messages.version, `${form.formType}, ${form.formVersion}`],
    ...(form.amends ? [[messages.amends, form.amends] as [string, string]] : []),
  ];
}

function writeItem(
  pdf: PdfWriter,
  form: FormPdf,
  { item, key, level, repetition }: VisibleItem,
  pictures: ReadonlyMap<string, PdfPicture>,
): void {
  const { language } = form;
  const messages = pdfMessages[language];
  const indent = Math.min(Math.max(0, level - 1), 4) * 14;
  const question = `${prefixOf(item, language)} ${questionText(item, language)}`.trim();
  if (item.type === 'group') {
    const number = repetition === undefined || !item.repeats ? '' : ` ${repetition + 1}`;
    if (question) pdf.heading(`${question}${number}`, level + 1);
    if ((repetition ?? 0) === 0) writeHelp(pdf, item, language, indent);
    return;
  }
  if (item.type === 'display') return pdf.paragraph(question, { indent, size: 9.5, after: 6 });
  if (item.type === 'unknown') return pdf.paragraph(`${question} (${messages.unknown(item.source.type)})`, { indent });

  const answer = form.answers[key] ?? [];
  // Keep the question and its answer on one page.
  pdf.reserve(item.type !== 'attachment' || answer.length === 0 ? 34 : item.signature ? 130 : photoSize.height + 40);
  pdf.group(() => {
    pdf.paragraph(question || item.linkId, { indent, face: 'bold', after: 1 });
    writeHelp(pdf, item, language, indent);
    if (answer.length === 0) {
      const why = form.setting.uncalculated?.has(key) ? messages.uncalculated : messages.notCalculated;
      const nothing = item.calculated === undefined ? '–' : why;
      return pdf.paragraph(nothing, { indent: indent + 10, after: 7 });
    }
    if (item.type === 'attachment') {
      for (const value of answer) writeFile(pdf, form, item, value as Attachment, pictures, indent + 10);
      return;
    }
    const isByHand = item.calculated !== undefined && isOverwritten(form.answers, key);
    const lines = answer.flatMap((value: Value) => answerText(item, value, language).split('\n'));
    if (isByHand) lines.push(messages.byHand);
    for (const [i, line] of lines.entries())
      pdf.paragraph(line, { indent: indent + 10, after: i === lines.length - 1 ? 7 : 2 });
  });
}

/** Writes the help text the patient saw with the question or group. */
function writeHelp(pdf: PdfWriter, item: FormItem, language: Language, indent: number): void {
  for (const text of helpOf(item)) {
    const help = questionText(text, language);
    if (help) pdf.paragraph(help, { indent, size: 9, after: 3, quiet: true });
  }
}

function writeFile(
  pdf: PdfWriter,
  form: FormPdf,
  item: FormItem,
  file: Attachment,
  pictures: ReadonlyMap<string, PdfPicture>,
  indent: number,
): void {
  const messages = pdfMessages[form.language];
  const picture = pictures.get(fileIdOf(file.url) ?? '');
  const signer = file.title || form.filledBy;
  if (picture) {
    const question = questionText(item, form.language) || messages.file;
    const alt = item.signature ? messages.signatureOf(signer) : messages.photoFor(question);
    pdf.picture(picture.content, alt, { ...(item.signature ? signatureSize : photoSize), indent });
  } else if (item.signature && file.title) pdf.paragraph(file.title, { indent, face: 'hand', size: 22, after: 2 });
  if (item.signature) {
    pdf.paragraph(picture ? messages.signedBy(signer) : messages.typedBy(signer), { indent, size: 9, after: 8 });
  } else if (!picture) pdf.paragraph(file.title ?? messages.file, { indent });
}
