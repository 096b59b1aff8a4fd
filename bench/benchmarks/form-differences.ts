import { writeFile } from 'node:fs/promises';
import { settleCalculations } from '#questionnaire/expressions/expressions.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { fromResponse, toResponse } from '#questionnaire/expressions/response.ts';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import type { Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { knownDifference, type Difference } from '#bench/peers/known-differences.ts';
import { openFormReaders, peers } from '#bench/peers/form-readers.ts';
import { generateForms, type GeneratedForm } from '#bench/peers/generated-forms.ts';
import { readingOf, readPlainly, type Reading } from '#bench/peers/plain-reading.ts';
import type { Line } from '#bench/ground/report-lines.ts';
import { traitDifferences } from './trait-differences.ts';

const forms = Number(process.env.GENERATED_FORMS ?? 300);

/**
 * Generated forms, filled out, beside what Smart Forms and LHC-Forms make of the same answers: which questions are asked, and what is
 * calculated. Each answer and each calculation that differs has its own explanation in `known-differences.ts`, or it counts. DIFFERENCES_FILE gets
 * those without one.
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
        if (unlike.length === 0) same += 1;
        for (const one of unlike) {
          const difference: Difference = { peer, form, ...one };
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
  if (file) await writeFile(file, JSON.stringify(unexplained, null, 2));
  const ownErrors = generated.flatMap((form, i) => differencesOf(ourReadings[i] as Reading, readPlainly(form)));
  lines.push({
    what: 'questions that we read differently than the specification',
    figure: String(ownErrors.length),
    beside: '',
    aim: '0',
    met: ownErrors.length === 0,
  });
  lines.push({
    what: 'questions read differently, without an explanation',
    figure: String(unexplained.length),
    beside: `${generated.length} forms, ${new Set(generated.flatMap(({ features }) => features)).size} features`,
    aim: '0',
    met: unexplained.length === 0,
  });
  return [...lines, ...(await traitDifferences())];

  function readOurs({ name, questionnaire, response }: GeneratedForm): QuestionnaireResponse {
    const checked = checkQuestionnaire(JSON.stringify(questionnaire));
    const form = checked.questionnaire as Questionnaire | undefined;
    if (!form) throw new Error(`${name} was refused: ${JSON.stringify(checked.findings)}`);
    const { answers } = fromResponse(form, response);
    const settled = settleCalculations(form, answers, expressions);
    return toResponse(form, settled.answers, { status: 'in-progress' }, settled.setting);
  }
}

function differencesOf(ours: Reading, theirs: Reading): Pick<Difference, 'linkId' | 'ours' | 'theirs'>[] {
  const linkIds = new Set([...ours.keys(), ...theirs.keys()]);
  return [...linkIds]
    .map((linkId) => ({ linkId, ours: ours.get(linkId) ?? 'nothing', theirs: theirs.get(linkId) ?? 'nothing' }))
    .filter((one) => one.ours !== one.theirs);
}
