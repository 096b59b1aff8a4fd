import { PDFDocument, rgb } from 'pdf-lib';
import type { Questionnaire } from '#contract/forms/questionnaire.ts';
import { drawRuns } from '#server/kit/paper.ts';
import { lettersOf } from '#server/kit/paper-fonts.ts';
import { arrive } from '#server/features/queue/index.ts';
import { officeScope } from '#server/kit/context.ts';
import { formsOffice } from './forms-ground.ts';
import { median, ms, ratio, type Line } from './lines.ts';
import { openGround } from './setup.ts';

const items = 40;
const rounds = 40;

const form: Questionnaire = {
  resourceType: 'Questionnaire',
  id: 'forty',
  title: 'Forty questions',
  status: 'active',
  item: Array.from({ length: items }, (_, i) => ({
    linkId: `q${i}`,
    type: (['string', 'boolean', 'text', 'integer', 'date'] as const)[i % 5] ?? 'string',
    text: `Question ${i + 1}: has anything of this kind changed since the last visit to this practice?`,
    required: true,
  })),
};
const said = ['No, nothing', false, 'Nothing that I know of; we were here two weeks ago.', 7, '2026-02-14'];
const answers = Object.fromEntries(form.item?.map(({ linkId }, i) => [linkId, [said[i % 5]]]) ?? []);

/** A form of 40 questions from the submission to the stored PDF, over HTTP, beside pdf-lib making the same pages alone. */
export async function formPdf(): Promise<Line[]> {
  const ground = await openGround();
  try {
    const office = await formsOffice(ground);
    const { url } = await ground.server();
    const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${url}/api${path}`, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Record<string, never>;
    };
    await call('POST', '/office/forms', { text: JSON.stringify(form) }, office.headers);
    const setting = { enabled: true, type: 'forty', day: null, visibleName: { en: 'Forty', es: 'Cuarenta' } };
    await call('PUT', '/office/forms', { forms: [setting] }, office.headers);

    const times: Record<'ours' | 'alone', number[]> = { ours: [], alone: [] };
    for (let round = 0; round < rounds; round++) {
      const scope = officeScope(ground.house, office.officeId, { kind: 'patient', id: null, name: null }, 'bench');
      const { token } = await scope.transaction((tx) =>
        arrive(tx, scope, {
          firstName: 'Ada',
          lastName: 'Byron',
          birthDate: '1990-12-10',
          household: [],
          language: 'en',
          phone: `+1646555${String(round).padStart(4, '0')}`,
        }),
      );
      const { members } = (await call('GET', `/visit/${token}/forms`)) as unknown as {
        members: { memberId: string; forms: { definitionId: string }[] }[];
      };
      const place = `/visit/${token}/forms/${members[0]?.memberId}/forty`;
      const step = { definitionId: members[0]?.forms[0]?.definitionId, version: 0, page: 0, answers };
      await call('PUT', place, step);
      const started = performance.now();
      await call('POST', `${place}/submit`, { version: 1 });
      const submitted = performance.now();
      await alone();
      if (round < 5) continue; // both warm up
      times.ours.push(submitted - started);
      times.alone.push(performance.now() - submitted);
    }
    const besideAlone = median(times.ours) / median(times.alone);
    return [
      {
        what: `a form of ${items} questions, from submit to its PDF stored`,
        figure: `${ms(median(times.ours))} = ${ratio(besideAlone)}`,
        beside: `pdf-lib making the same pages alone ${ms(median(times.alone))}`,
        aim: '≤ 1.5x',
        met: besideAlone <= 1.5,
      },
    ];
  } finally {
    await ground.close();
  }
}

/** The same fonts, the same words, the same pages, and nothing decided. */
async function alone(): Promise<void> {
  const pdf = await PDFDocument.create();
  const text = JSON.stringify(form) + JSON.stringify(answers);
  const letters = { bold: await lettersOf(pdf, 'bold', text), plain: await lettersOf(pdf, 'plain', text) };
  const look = { x: 64, size: 10, color: rgb(0.1, 0.12, 0.16) };
  let page = pdf.addPage([612, 792]);
  let y = 560;
  for (const { linkId, text: question = '' } of form.item ?? []) {
    if (y < 100) [page, y] = [pdf.addPage([612, 792]), 724];
    drawRuns(page, letters.bold, question, { ...look, y });
    drawRuns(page, letters.plain, String(answers[linkId]?.[0]), { ...look, x: 74, y: y - 14.5 });
    y -= 37;
  }
  await pdf.save();
}
