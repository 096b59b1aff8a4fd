import { writeFile } from 'node:fs/promises';
import type { Line } from '#bench/ground/report-lines.ts';
import { answersIn, engineBeginning, engineOutcome, loadGenerated } from '#bench/peers/engine-outcome.ts';
import { openFormReaders, peers, type Peer } from '#bench/peers/form-readers.ts';
import { readBeginning, readOutcome } from '#bench/peers/plain-outcome.ts';
import { pairwiseQuestions } from '#bench/peers/question-traits.ts';
import { isCompared, knownTraitDifference, type TraitDifference } from '#bench/peers/trait-differences.ts';
import { traitForms, type TraitForm } from '#bench/peers/trait-forms.ts';

/** Each seed has every two traits of a question together, in other forms. */
const seeds = (process.env.TRAIT_SEEDS ?? '1,2,3').split(',').map(Number);

/**
 * Forms whose questions have every two traits together: what they begin with, keep, calculate, offer and refuse, beside the plain reading; and
 * what Smart Forms and LHC-Forms keep and calculate. TRAIT_DIFFERENCES_FILE gets what nobody has explained.
 */
export async function traitDifferences(): Promise<Line[]> {
  const forms = seeds.flatMap((seed) => [...traitForms(seed)]);
  const pairs = Math.max(...seeds.map((seed) => pairwiseQuestions(seed).pairs));
  const unlike = [];
  for (const form of forms) unlike.push(...(await ownErrors(form)));
  const what = 'forms with every two traits of a question together';
  const lines: Line[] = [
    {
      what: `${what}: read differently than the specification`,
      figure: String(unlike.length),
      beside: `${forms.length} forms, ${pairs} pairs of traits, seeds ${seeds.join(', ')}`,
      aim: '0',
      met: unlike.length === 0,
    },
  ];
  const readers = await openFormReaders();
  if (!readers) return lines;
  const unexplained: (TraitDifference & { name: string })[] = [];
  try {
    for (const peer of peers) {
      await readers.open(peer);
      const reasons = new Map<string, number>();
      let unread = 0;
      let questions = 0;
      for (const form of forms) {
        const theirs = await readers.read(form.questionnaire, form.response);
        if (typeof theirs === 'string') {
          unread += 1;
          continue;
        }
        questions += form.questions.filter((question) => isCompared(peer, question)).length;
        for (const difference of differencesOf(peer, form, answersIn(theirs))) {
          const reason = knownTraitDifference(difference);
          if (reason === undefined) unexplained.push({ name: form.name, ...difference });
          else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        }
      }
      const figure = `${questions} questions`;
      const beside = unread === 0 ? '' : `${unread} forms that it could not read`;
      lines.push({ what: `${what}: compared with ${peer}`, figure, beside, aim: '', met: null });
      for (const [reason, count] of [...reasons].toSorted(([, a], [, b]) => b - a))
        lines.push({ what: `  ${reason}`, figure: `${count} questions`, beside: '', aim: '', met: null });
    }
  } finally {
    await readers.close();
  }
  const file = process.env.TRAIT_DIFFERENCES_FILE;
  if (file) await writeFile(file, JSON.stringify({ unlike, unexplained }, null, 2));
  lines.push({
    what: `${what}: read differently by others, without an explanation`,
    figure: String(unexplained.length),
    beside: '',
    aim: '0',
    met: unexplained.length === 0,
  });
  return lines;
}

/** Where the engine is not as the plain reading: names of answers, lists and problems. */
async function ownErrors(form: TraitForm): Promise<string[]> {
  const loaded = loadGenerated(form);
  const [ours, plain] = [await engineOutcome(loaded, form.response), readOutcome(form)];
  const unlike = (what: string, one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
    [...new Set([...one.keys(), ...other.keys()])]
      .filter((name) => one.get(name) !== other.get(name))
      .map((name) => `${form.name} ${what} ${name}: ${one.get(name)}, not ${other.get(name)}`);
  return [
    ...unlike('answers', ours.answers, plain.answers),
    ...unlike('offers', ours.offers, plain.offers),
    ...unlike('begins', await engineBeginning(loaded), readBeginning(form)),
    ...(ours.problems.join() === plain.problems.join()
      ? []
      : [`${form.name} ${ours.problems.join()}, not ${plain.problems.join()}`]),
  ];
}

function differencesOf(peer: Peer, form: TraitForm, theirs: ReadonlyMap<string, string>): TraitDifference[] {
  const { answers, asked } = readOutcome(form);
  const given = answersIn(form.response);
  return form.questions.flatMap((question, i): TraitDifference[] => {
    const name = `s${i + 1}`;
    const of = (reading: ReadonlyMap<string, string>) => reading.get(name) ?? 'nothing';
    if (!isCompared(peer, question) || of(answers) === of(theirs)) return [];
    return [{ peer, question, given: of(given), ours: of(answers), theirs: of(theirs), isAsked: asked.has(name) }];
  });
}
