import { ResultTooLarge } from '#questionnaire/expressions/expression-limits.ts';
import { beginAnswers, calculateAnswers } from '#questionnaire/expressions/fhirpath.ts';
import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import { enabledAnswers } from '#questionnaire/expressions/enabled-answers.ts';
import { withFixedAnswers } from '#questionnaire/extras/fixed-answers.ts';
import { factsOfPatient, type KnownPatient } from '#questionnaire/known/facts-of-patient.ts';
import { withKnownFacts } from '#questionnaire/known/known-facts.ts';
import { initialAnswers } from '#questionnaire/visible-items.ts';
import type { LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import { formOf } from '#questionnaire/form.ts';
import { canBeChanged } from '#questionnaire/form-item.ts';
import { outcomeOf } from '#questionnaire/extras/outcome.ts';
import { linkIdOf, problemsOf, type Problem } from '#questionnaire/checking/problems.ts';
import type { Attachment, Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { checkResponse, fromResponse, toResponse, type ResponseMetadata } from '#questionnaire/expressions/response.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import { fileIdOf, fileUrl } from './file-url.ts';
import { filingClock } from './filing-clock.ts';

/** A stored picture that an answer may refer to. */
export interface StoredPicture {
  contentType: string;
  bytes: number;
  kind: string;
}

export interface Draft {
  questionnaire: Questionnaire;
  answers: Answers;
  /** The pictures of this visit, by id. */
  files: ReadonlyMap<string, StoredPicture>;
  /** The office's day on which it is filed. */
  today: string;
  timeZone: string;
  /** When the form was begun, an instant: what nobody can change is as of then. Without it, as of its filing. */
  startedAt?: string | undefined;
  /** What the form's expressions may read about the visit. */
  launch?: LaunchContext | undefined;
  about: ResponseMetadata;
  /** What the form was opened with about its patient; undefined if nothing. */
  known?: KnownPatient | undefined;
}

/** All pictures of a submission go into one PDF. A stored photo has one to two megabytes. */
const mostPictureMb = 60;

/** A complete form, ready to be filed. */
export interface PreparedSubmission {
  answers: Answers;
  setting: EvaluationContext;
  /** The ids of its pictures. */
  fileIds: string[];
  response: QuestionnaireResponse;
  outcome: string | null;
  signedBy: string | null;
}

/**
 * Sets what a person cannot change as the form began, runs the calculations, drops answers to hidden questions, and finds what is missing or wrong. Throws `ResultTooLarge`. Runs in a worker
 * only.
 */
export async function prepareSubmission(draft: Draft): Promise<PreparedSubmission | { problems: Problem[] }> {
  const { questionnaire, files, about } = draft;
  const atFiling = settingOf(draft);
  const entries = withFixedAnswers(questionnaire, draft.answers, await startOf(draft));
  const { answers: calculated, setting, isTooLarge } = await calculateAnswers(questionnaire, entries, atFiling);
  if (isTooLarge) throw new ResultTooLarge();
  const enabled = enabledAnswers(questionnaire, calculated, setting);
  const { answers, strange } = withFiles(questionnaire, enabled, files);
  const missing = problemsOf(questionnaire, answers, setting);
  const others = [...strange, ...tooBigTogether(answers, files)];
  const problems = [...missing, ...others.filter(({ path }) => !missing.some((problem) => problem.path === path))];
  if (problems.length > 0) return { problems };

  const response = toResponse(questionnaire, answers, about, setting);
  // A response omits blank repetitions, which renumbers the others, so the expressions are evaluated again.
  const { setting: again } = await calculateAnswers(
    questionnaire,
    fromResponse(questionnaire, response).answers,
    atFiling,
  );
  const wrong = checkResponse(questionnaire, response, again);
  if (wrong.length > 0) return { problems: wrong };
  // The items with the answers they offered are the whole form once more, and the PDF needs none of them.
  const { offered: _, ...settingForPdf } = setting;
  return {
    answers,
    setting: settingForPdf,
    fileIds: usedFiles(answers),
    response,
    outcome: outcomeOf(questionnaire, answers, setting),
    signedBy: signerOf(questionnaire, answers),
  };
}

/** What the form began with, on the day it began. A phone begins it too, but what it sends may be forged. */
async function startOf(draft: Draft): Promise<Answers> {
  const { questionnaire, known, timeZone, startedAt } = draft;
  const start = startedAt === undefined ? undefined : filingClock(new Date(startedAt), timeZone);
  const setting = { ...settingOf(draft), ...start };
  const facts = known ? factsOfPatient(known, setting.today) : {};
  return beginAnswers(questionnaire, withKnownFacts(questionnaire, initialAnswers(questionnaire), facts), setting);
}

/** What the form's expressions know: all of them the same moment. */
const settingOf = ({ today, timeZone, launch, about }: Draft): EvaluationContext & { today: string } => ({
  today,
  timeZone,
  now: about.authored,
  launch,
});

/** A file is described by its stored metadata, never by the answers; a signature may be a typed name instead. */
function withFiles(questionnaire: Questionnaire, answers: Answers, files: ReadonlyMap<string, StoredPicture>) {
  const { byLinkId, all } = formOf(questionnaire);
  const strange: Problem[] = [];
  const known: Record<string, readonly Value[]> = { ...answers };
  const attachments = all.filter(({ type }) => type === 'attachment');
  for (const [key, values] of Object.entries(answers)) {
    const linkId = attachments.find((item) => key === item.linkId || key.startsWith(`${item.linkId}#`))?.linkId;
    const item = linkId === undefined ? undefined : byLinkId.get(linkId);
    if (!item) continue;
    known[key] = values.flatMap((value): Value[] => {
      const { url, title } = (typeof value === 'object' ? value : {}) as Attachment;
      // The questionnaire's own file: nobody sent it, and nobody could replace it.
      if (!canBeChanged(item)) return fileIdOf(url) === null ? [value] : [];
      const fileId = fileIdOf(url) ?? '';
      const file = files.get(fileId);
      const signerName = typeof title === 'string' ? title.slice(0, 200) : '';
      if (file && (!item.signature || file.kind === 'signature'))
        return [
          {
            contentType: file.contentType,
            url: fileUrl(fileId),
            size: file.bytes,
            ...(signerName && { title: signerName }),
          },
        ];
      if (item.signature && url === undefined && signerName.trim() !== '')
        return [{ contentType: 'text/plain', title: signerName }];
      strange.push({ code: item.signature ? 'not_signed' : 'wrong_kind', linkId: item.linkId, path: key });
      return [];
    });
  }
  return { answers: known, strange };
}

/** The questions whose pictures exceed the total size. */
function tooBigTogether(answers: Answers, files: ReadonlyMap<string, StoredPicture>): Problem[] {
  const counted = new Set<string>();
  let bytes = 0;
  const problems = Object.entries(answers).map(([path, values]): Problem | null => {
    for (const id of usedFiles({ [path]: values })) {
      if (!counted.has(id)) bytes += files.get(id)?.bytes ?? 0;
      counted.add(id);
    }
    const isTooBig = bytes > mostPictureMb * 1_000_000 && usedFiles({ [path]: values }).length > 0;
    return isTooBig ? { code: 'files_too_big', linkId: linkIdOf(path), path, detail: mostPictureMb } : null;
  });
  return problems.filter((problem) => problem !== null);
}

function usedFiles(answers: Answers): string[] {
  const named = Object.values(answers)
    .flat()
    .map((value) => (typeof value === 'object' && 'url' in value ? fileIdOf(value.url) : null));
  return [...new Set(named.filter((id) => id !== null))];
}

function signerOf(questionnaire: Questionnaire, answers: Answers): string | null {
  for (const item of formOf(questionnaire).all) {
    const title = item.signature ? (answers[item.linkId]?.[0] as Attachment | undefined)?.title : undefined;
    if (title) return title;
  }
  return null;
}
