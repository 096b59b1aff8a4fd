import { PDFDocument } from 'pdf-lib';
import { evaluate, type Setting } from '#contract/forms/evaluation.ts';
import { enabledItems, type VisibleItem } from '#contract/forms/filling.ts';
import { helpOf, prefixOf, wordsOf, type FormItem } from '#contract/forms/form.ts';
import type { Attachment, Questionnaire } from '#contract/forms/questionnaire.ts';
import type { Answers, Value } from '#contract/forms/values.ts';
import type { Language } from '#contract/refusals.ts';
import { numberPages, openPaper, type Paper } from '#server/kit/paper.ts';
import { answerWords, locales } from './answer-words.ts';
import { fileIdOf } from './file-url.ts';
import { paperWords } from './words.ts';

/** All that a filed form's paper tells. */
export interface FormPaper {
  language: Language;
  questionnaire: Questionnaire;
  answers: Answers;
  /** What was decided when the form was found complete: the day, and what its expressions switched on. */
  setting: Setting;
  formName: string;
  formType: string;
  formVersion: number;
  officeName: string;
  officeAddress: string;
  timeZone: string;
  patientName: string;
  birthDate: string | null;
  /** Whose phone it was. */
  filledBy: string;
  completedAt: Date;
  submissionId: string;
  amends: string | null;
  product: string;
}

export interface PaperPicture {
  content: Buffer;
  contentType: string;
}

/** Points: a card a little larger than it is, both sides on one page. */
const photoSize = { width: 270, height: 175 };
const signatureSize = { width: 220, height: 90 };

/** A filed form as a PDF: words that can be read and searched, its photos and its signature, who, when and which version. */
export async function formPaper(form: FormPaper, pictures: ReadonlyMap<string, PaperPicture>): Promise<Buffer> {
  const { language } = form;
  const words = paperWords[language];
  const pdf = await PDFDocument.create();
  pdf.setTitle(form.formName, { showInWindowTitleBar: true });
  pdf.setAuthor(form.officeName);
  pdf.setLanguage(language);
  pdf.setProducer(form.product);
  pdf.setCreator(form.product);
  pdf.setCreationDate(form.completedAt);
  pdf.setModificationDate(form.completedAt);

  const places = enabledItems(evaluate(form.questionnaire, form.answers, form.setting), true);
  const written = JSON.stringify([
    form.questionnaire,
    form.answers,
    form.officeName,
    form.officeAddress,
    form.patientName,
    form.filledBy,
    form.formName,
  ]);
  const byHand = places.some(({ item }) => item.signature) ? JSON.stringify(form.answers) : undefined;
  const paper = await openPaper(pdf, written, byHand);
  paper.title(form.formName);
  paper.facts(factsOf(form));
  for (const place of places) await writeItem(paper, form, place, pictures);
  if (paper.lacksLetters()) paper.paragraph(words.lacking, { size: 9 });

  const foot = `${form.officeName} · ${form.formName} · ${form.submissionId}`;
  await numberPages(pdf, foot, words.page);
  return Buffer.from(await pdf.save({ objectsPerTick: Infinity }));
}

function factsOf(form: FormPaper): [string, string][] {
  const words = paperWords[form.language];
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
    [words.patient, form.patientName],
    ...(form.birthDate ? [[words.born, day(form.birthDate)] as [string, string]] : []),
    ...(form.filledBy === form.patientName ? [] : [[words.filledBy, form.filledBy] as [string, string]]),
    [words.submitted, at],
    [words.office, form.officeName],
    [words.address, form.officeAddress],
    [words.version, `${form.formType}, ${form.formVersion}`],
    ...(form.amends ? [[words.amends, form.amends] as [string, string]] : []),
  ];
}

async function writeItem(
  paper: Paper,
  form: FormPaper,
  { item, key, level, repetition }: VisibleItem,
  pictures: ReadonlyMap<string, PaperPicture>,
): Promise<void> {
  const { language } = form;
  const words = paperWords[language];
  const indent = Math.min(Math.max(0, level - 1), 4) * 14;
  const question = `${prefixOf(item, language)} ${wordsOf(item, language)}`.trim();
  if (item.type === 'group') {
    const number = repetition === undefined || !item.repeats ? '' : ` ${repetition + 1}`;
    if (question) paper.heading(`${question}${number}`);
    if ((repetition ?? 0) === 0) writeHelp(paper, item, language, indent);
    return;
  }
  if (item.type === 'display') return paper.paragraph(question, { indent, size: 9.5, after: 6 });
  if (item.type === 'unknown') return paper.paragraph(`${question} (${words.unknown(item.source.type)})`, { indent });

  const said = form.answers[key] ?? [];
  // A question stays with its answer.
  paper.keep(item.type !== 'attachment' || said.length === 0 ? 34 : item.signature ? 130 : photoSize.height + 40);
  paper.paragraph(question || item.linkId, { indent, face: 'bold', after: 1 });
  writeHelp(paper, item, language, indent);
  if (said.length === 0) {
    const nothing = item.calculated === undefined ? '–' : words.notCalculated;
    return paper.paragraph(nothing, { indent: indent + 10, after: 7 });
  }
  if (item.type === 'attachment') {
    for (const value of said) await writeFile(paper, form, value as Attachment, item.signature, pictures, indent + 10);
    return;
  }
  const lines = said.flatMap((value: Value) => answerWords(item, value, language).split('\n'));
  for (const [i, line] of lines.entries())
    paper.paragraph(line, { indent: indent + 10, after: i === lines.length - 1 ? 7 : 2 });
}

/** What the patient read with the question or the group. */
function writeHelp(paper: Paper, item: FormItem, language: Language, indent: number): void {
  for (const text of helpOf(item)) {
    const help = wordsOf(text, language);
    if (help) paper.paragraph(help, { indent, size: 9, after: 3, quiet: true });
  }
}

async function writeFile(
  paper: Paper,
  form: FormPaper,
  file: Attachment,
  isSignature: boolean,
  pictures: ReadonlyMap<string, PaperPicture>,
  indent: number,
): Promise<void> {
  const words = paperWords[form.language];
  const picture = pictures.get(fileIdOf(file.url) ?? '');
  if (picture) {
    const bytes = new Uint8Array(picture.content); // a copy: pdf-lib reads from the start of the memory behind a Buffer
    const image = await (picture.contentType === 'image/png' ? paper.pdf.embedPng(bytes) : paper.pdf.embedJpg(bytes));
    paper.picture(image, { ...(isSignature ? signatureSize : photoSize), indent });
  } else if (isSignature && file.title) paper.paragraph(file.title, { indent, face: 'hand', size: 22, after: 2 });
  if (isSignature) {
    const by = file.title || form.filledBy;
    const typed = picture ? words.signedBy(by) : words.typedBy(by);
    paper.paragraph(typed, { indent, size: 9, after: 8 });
  } else if (!picture) paper.paragraph(file.title ?? words.file, { indent });
}
