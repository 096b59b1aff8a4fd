import fontkit from '@pdf-lib/fontkit';
import { PDFDocument, PDFPage, rgb } from 'pdf-lib';
import type { Questionnaire } from '#contract/forms/questionnaire.ts';
import type { Answers } from '#contract/forms/values.ts';
import { formPaper } from '#server/features/forms/form-paper.ts';
import { fontFile } from '#server/kit/paper-fonts.ts';
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
const answers: Answers = Object.fromEntries(form.item?.map(({ linkId }, i) => [linkId, [said[i % 5] ?? '']]) ?? []);

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

    const drawn = await drawnPages();
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
      await alone(drawn);
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

interface Drawn {
  page: number;
  text: string;
  x: number;
  y: number;
  size: number;
  isBold: boolean;
}

/** What one form's paper writes where, heard from pdf-lib itself. */
async function drawnPages(): Promise<Drawn[]> {
  const drawn: Drawn[] = [];
  const sheets: PDFPage[] = [];
  const { drawText } = PDFPage.prototype;
  PDFPage.prototype.drawText = function (text, options = {}) {
    const { x = 0, y = 0, size = 10, font } = options;
    if (!sheets.includes(this)) sheets.push(this);
    drawn.push({ page: sheets.indexOf(this), text, x, y, size, isBold: font?.name.includes('Bold') ?? false });
    drawText.call(this, text, options);
  };
  await formPaper(
    {
      language: 'en',
      questionnaire: form,
      answers,
      setting: {},
      formName: 'Forty',
      formType: 'forty',
      formVersion: 1,
      officeName: 'Maple Street Pediatrics',
      officeAddress: '48 Maple Street, Brooklyn, NY 11201',
      timeZone: 'UTC',
      patientName: 'Ada Byron',
      birthDate: '1990-12-10',
      filledBy: 'Ada Byron',
      completedAt: new Date(),
      submissionId: '019f1111-1111-7111-8111-111111111111',
      amends: null,
      product: 'Anteroom',
    },
    new Map(),
  );
  PDFPage.prototype.drawText = drawText;
  return drawn;
}

/** The same fonts, the same words at the same places, by pdf-lib and its own font engine, and nothing decided. */
async function alone(drawn: readonly Drawn[]): Promise<void> {
  const pdf = await PDFDocument.create();
  pdf.registerFontkit(fontkit);
  const bold = await pdf.embedFont(fontFile('noto-sans', 700, 'latin'), { subset: true });
  const plain = await pdf.embedFont(fontFile('noto-sans', 400, 'latin'), { subset: true });
  const color = rgb(0.1, 0.12, 0.16);
  const pages = Array.from({ length: Math.max(...drawn.map(({ page }) => page)) + 1 }, () => pdf.addPage([612, 792]));
  for (const { page, text, x, y, size, isBold } of drawn)
    pages[page]?.drawText(text, { x, y, size, color, font: isBold ? bold : plain });
  await pdf.save();
}
