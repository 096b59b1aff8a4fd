import type { FiledAnswer } from '#contract/forms/desk.ts';
import type { Language } from '#contract/shapes.ts';
import { evaluate } from '#questionnaire/evaluation.ts';
import { calculateAnswers } from '#questionnaire/expressions/fhirpath.ts';
import { fromResponse } from '#questionnaire/expressions/response.ts';
import type { LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import { outcomeWithReasons } from '#questionnaire/extras/outcome.ts';
import { helpOf, isHidden, isLeftOutForReaders, type FormItem } from '#questionnaire/form-item.ts';
import { prefixOf, questionText } from '#questionnaire/form-texts.ts';
import { isOverwritten } from '#questionnaire/overwritten.ts';
import type { Attachment, Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { filledValues, type Value } from '#questionnaire/values.ts';
import { enabledItems, type VisibleItem } from '#questionnaire/visible-items.ts';
import { allergyQuestions } from './allergy-questions.ts';
import { answerText } from './answer-text.ts';
import type { FilingClock } from './filing-clock.ts';
import { fileIdOf } from './file-url.ts';
import { pdfMessages } from './pdf-messages.ts';

/** A filed form with everything that reading it needs. */
export interface AnsweredForm {
  questionnaire: Questionnaire;
  response: QuestionnaireResponse;
  /** The reader's; the patient may have read the form in the other one. */
  language: Language;
  /** When it was filed, by the office's clock. */
  clock: FilingClock;
  /** What the form's expressions could read about the visit when it was filed. */
  launch?: LaunchContext | undefined;
  /** The owner of the phone. */
  filledBy: string;
}

/** An answer whose pictures are still ids of files. */
export type AnswerWithFiles = Omit<FiledAnswer, 'pictures'> & { pictures: { description: string; fileId: string }[] };

export interface AnswerSection {
  title: string;
  answers: AnswerWithFiles[];
}

/**
 * The answers as text: a top-level group is a section, and so are the questions between two of them. Runs in a worker only, because a
 * questionnaire of the practice's own may calculate.
 */
export async function answerSections(form: AnsweredForm): Promise<AnswerSection[]> {
  const { questionnaire, response, language, clock, launch } = form;
  const { answers } = fromResponse(questionnaire, response);
  const { setting } = await calculateAnswers(questionnaire, answers, { ...clock, launch });
  const evaluation = evaluate(questionnaire, answers, setting);
  const markOf = marksOf(form, evaluation);

  const sections: AnswerSection[] = [];
  let groups: { level: number; title: string }[] = [];
  /** The last section is a group's. */
  let isGroup = false;
  for (const visible of enabledItems(evaluation, false)) {
    const { item, key, level } = visible;
    // A hidden sum may have decided the outcome.
    if (isHidden(item) && markOf(item) !== 'review') continue;
    if (isLeftOutForReaders(item, filledValues(answers[key]).length > 0)) continue;
    groups = groups.filter((group) => group.level < level);
    if (item.type === 'group') {
      const title = groupTitle(visible, language);
      if (level > 0) groups.push({ level, title });
      else {
        sections.push({ title, answers: [] });
        isGroup = true;
      }
      // A deeper group may come before any question of the form.
      if ((visible.repetition ?? 0) === 0)
        sections.at(-1)?.answers.push(...helpOf(item).map((help) => helpAnswer(help, titleOfGroups(groups), language)));
      continue;
    }
    if (sections.length === 0 || (level === 0 && isGroup)) {
      sections.push({ title: '', answers: [] });
      isGroup = false;
    }
    const group = titleOfGroups(groups);
    const isByHand = item.calculated !== undefined && isOverwritten(answers, key);
    const answer = toAnswer(item, filledValues(answers[key]), form, {
      isByHand,
      isUncalculated: setting.uncalculated?.has(key) ?? false,
    });
    sections.at(-1)?.answers.push({ ...answer, group, mark: item.isQuestion ? markOf(item) : null });
  }
  return sections.filter((section) => section.answers.length > 0);
}

const titleOfGroups = (groups: readonly { title: string }[]) =>
  groups
    .map(({ title }) => title)
    .filter((title) => title !== '')
    .join(' · ');

/** A text that the patient read with a group, such as what its questions are about, or a legal note. */
const helpAnswer = (help: FormItem, group: string, language: Language): AnswerWithFiles => ({
  kind: 'text',
  text: titleOf(help, language),
  answers: [],
  pictures: [],
  group,
  mark: null,
});

/** How a question is marked. An answer that made the outcome "review" comes before an allergy. */
function marksOf({ questionnaire }: AnsweredForm, evaluation: ReturnType<typeof evaluate>) {
  const { form, answers, setting } = evaluation;
  const { outcome, reasons } = outcomeWithReasons(questionnaire, answers, setting);
  const toReview = new Set(outcome === 'review' ? reasons : []);
  const allergies = allergyQuestions(form);
  return (item: FormItem): FiledAnswer['mark'] =>
    toReview.has(item.linkId) ? 'review' : allergies.has(item) ? 'allergy' : null;
}

const titleOf = (item: FormItem, language: Language) =>
  `${prefixOf(item, language)} ${questionText(item, language)}`.trim();

function groupTitle({ item, repetition }: VisibleItem, language: Language): string {
  const title = titleOf(item, language);
  return title === '' || repetition === undefined ? title : `${title} ${repetition + 1}`;
}

function toAnswer(
  item: FormItem,
  values: readonly Value[],
  form: AnsweredForm,
  { isByHand, isUncalculated }: { isByHand: boolean; isUncalculated: boolean },
): Pick<AnswerWithFiles, 'kind' | 'text' | 'answers' | 'pictures'> {
  const messages = pdfMessages[form.language];
  const text = titleOf(item, form.language);
  const nothing = { answers: [], pictures: [] };
  if (item.type === 'unknown')
    return { kind: 'text', text: `${text} (${messages.unknown(item.source.type)})`, ...nothing };
  if (!item.isQuestion) return { kind: 'text', text, ...nothing };
  const question = { kind: 'question' as const, text: text || item.linkId };
  if (item.type === 'attachment') return { ...question, ...filesOf(item, values as readonly Attachment[], form) };
  if (values.length === 0 && item.calculated !== undefined)
    return { ...question, answers: [isUncalculated ? messages.uncalculated : messages.notCalculated], pictures: [] };
  const answers = values.map((value) => answerText(item, value, form.language));
  return { ...question, answers: isByHand ? [...answers, messages.byHand] : answers, pictures: [] };
}

/** Photos and signatures, described like on the PDF. */
function filesOf(item: FormItem, files: readonly Attachment[], { language, filledBy }: AnsweredForm) {
  const messages = pdfMessages[language];
  const question = questionText(item, language) || messages.file;
  const answers: string[] = [];
  const pictures: AnswerWithFiles['pictures'] = [];
  for (const { url, title } of files) {
    const fileId = fileIdOf(url);
    const signer = title || filledBy;
    if (fileId)
      pictures.push({
        fileId,
        description: item.signature ? messages.signatureOf(signer) : messages.photoFor(question),
      });
    if (item.signature) answers.push(fileId ? messages.signedBy(signer) : messages.typedBy(signer));
    else if (!fileId) answers.push(title ?? messages.file);
  }
  return { answers, pictures };
}
