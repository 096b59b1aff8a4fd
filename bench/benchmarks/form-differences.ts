import { writeFile } from 'node:fs/promises';
import { settleCalculations } from '#questionnaire/expressions/expressions.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { fromResponse, toResponse } from '#questionnaire/expressions/response.ts';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import type { Questionnaire, QuestionnaireResponse, ResponseItem } from '#questionnaire/questionnaire.ts';
import { isCoding, valueIn } from '#questionnaire/values.ts';
import { knownDifference, type Difference } from '#bench/peers/known-differences.ts';
import { openFormReaders, peers } from '#bench/peers/form-readers.ts';
import { generateForms, type GeneratedForm } from '#bench/peers/generated-forms.ts';
import type { Line } from '#bench/ground/report-lines.ts';

/** The answers under each linkId, in words that can be compared. */
type Reading = Map<string, string>;

const forms = Number(process.env.GENERATED_FORMS ?? 300);

/**
 * Generated forms, filled out, beside what Smart Forms and LHC-Forms make of the same answers: which questions are asked, and what is
 * calculated. Each difference has its explanation in `known-differences.ts`, or it counts. DIFFERENCES_FILE gets those without one.
 */
export async function formDifferences(): Promise<Line[]> {
  const what = 'generated forms that are read as other programs read them';
  const readers = await openFormReaders();
  if (!readers) return [{ what, figure: 'not compared', beside: 'needs a package registry', aim: '', met: null }];
  const expressions = await loadExpressions();
  const generated = [...generateForms(forms)];
  const ourReadings = generated.map((form) => readingOf(readOurs(form)));
  const unexplained: Difference[] = [];
  const lines: Line[] = [];
  try {
    for (const peer of peers) {
      await readers.open(peer);
      let unread = 0;
      let same = 0;
      const reasons = new Map<string, number>();
      for (const [i, form] of generated.entries()) {
        const theirs = await readers.read(form.questionnaire, form.response);
        if (typeof theirs === 'string') {
          unread += 1;
          continue;
        }
        const ours = ourReadings[i] as Reading;
        const unlike = differencesOf(ours, readingOf(theirs));
        const about = {
          peer,
          form,
          answered: new Set(ours.keys()),
          differing: new Set(unlike.map(({ linkId }) => linkId)),
        };
        const found = unlike.map((one): Difference => ({ ...about, ...one }));
        if (found.length === 0) same += 1;
        for (const difference of found) {
          const reason = knownDifference(difference);
          if (reason === undefined) unexplained.push(difference);
          else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        }
      }
      lines.push({
        what: `${what}: ${peer}`,
        figure: `${same} of ${generated.length - unread}`,
        beside: unread === 0 ? '' : `${unread} that it could not read`,
        aim: '',
        met: null,
      });
      for (const [reason, count] of [...reasons].toSorted(([, a], [, b]) => b - a))
        lines.push({ what: `  ${reason}`, figure: `${count} questions`, beside: '', aim: '', met: null });
    }
  } finally {
    await readers.close();
  }
  const file = process.env.DIFFERENCES_FILE;
  const named = unexplained.map(({ answered: _, differing: __, ...difference }) => difference);
  if (file) await writeFile(file, JSON.stringify(named, null, 2));
  lines.push({
    what: 'questions read differently, without an explanation',
    figure: String(unexplained.length),
    beside: `${generated.length} forms, ${new Set(generated.flatMap(({ features }) => features)).size} features`,
    aim: '0',
    met: unexplained.length === 0,
  });
  return lines;

  function readOurs({ name, questionnaire, response }: GeneratedForm): QuestionnaireResponse {
    const checked = checkQuestionnaire(JSON.stringify(questionnaire));
    const form = checked.questionnaire as Questionnaire | undefined;
    if (!form) throw new Error(`${name} was refused: ${JSON.stringify(checked.findings)}`);
    const { answers } = fromResponse(form, response);
    const settled = settleCalculations(form, answers, expressions);
    return toResponse(form, settled.answers, { status: 'in-progress' }, settled.setting);
  }
}

function readingOf(response: QuestionnaireResponse): Reading {
  const reading: Reading = new Map();
  const read = (items: readonly ResponseItem[] = []) => {
    for (const { linkId, answer = [], item } of items) {
      const values = answer.map((one) => valueIn(one)).filter((value) => value !== undefined);
      const words = values.map((value) => (isCoding(value) ? String(value.code) : String(value)));
      if (words.length > 0) reading.set(linkId, [reading.get(linkId) ?? [], words].flat().join(', '));
      read(item);
      for (const one of answer) read(one.item);
    }
  };
  read(response.item);
  return reading;
}

function differencesOf(ours: Reading, theirs: Reading): Pick<Difference, 'linkId' | 'ours' | 'theirs'>[] {
  const linkIds = new Set([...ours.keys(), ...theirs.keys()]);
  return [...linkIds]
    .map((linkId) => ({ linkId, ours: ours.get(linkId) ?? 'nothing', theirs: theirs.get(linkId) ?? 'nothing' }))
    .filter((one) => one.ours !== one.theirs);
}
