import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import PDFKit from 'pdfkit';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { createFormPdf } from '#server/features/forms/form-pdf.ts';
import { arrive } from '#server/features/queue/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { formsOffice } from '#bench/ground/forms-office.ts';
import { median, ms, ratio, type Line } from '#bench/ground/report-lines.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';

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

/** A form of 40 questions from submission to stored PDF, over HTTP, compared with pdfkit drawing the same text alone. */
export async function formPdf(): Promise<Line[]> {
  const ground = await openBenchDatabase();
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
      const scope = officeScope(ground.services, office.officeId, { kind: 'patient', id: null, name: null }, 'bench');
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
        beside: `pdfkit drawing the same text alone, untagged ${ms(median(times.alone))}`,
        aim: '≤ 2x',
        met: besideAlone <= 2,
      },
    ];
  } finally {
    await ground.close();
  }
}

interface DrawnText {
  page: number;
  text: string;
  x: number;
  y: number;
  size: number;
  /** Its file, as a package and a path. */
  font: string;
}

/** What a form's PDF draws at which position, recorded from pdfkit itself. */
async function drawnPages(): Promise<DrawnText[]> {
  const drawn: DrawnText[] = [];
  const pages: unknown[] = [];
  const { text: drawText, font: setFont } = PDFKit.prototype;
  let font = '';
  PDFKit.prototype.font = function (this: PDFKit.PDFDocument, source: unknown, key: string) {
    font = key;
    return setFont.call(this, source as never, key as never);
  } as never;
  PDFKit.prototype.text = function (
    this: PDFKit.PDFDocument & { _fontSize: number },
    text: string,
    x: number,
    y: number,
    options: object,
  ) {
    if (!pages.includes(this.page)) pages.push(this.page);
    drawn.push({ page: pages.indexOf(this.page), text, x, y: 792 - y, size: this._fontSize, font });
    return drawText.call(this, text, x, y, options);
  } as never;
  await createFormPdf(
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
  Object.assign(PDFKit.prototype, { text: drawText, font: setFont });
  return drawn;
}

const require = createRequire(import.meta.url);
const fontFiles = new Map<string, Buffer>();

/** The same text at the same positions by pdfkit and its own font engine, without layout or tags. */
async function alone(drawn: readonly DrawnText[]): Promise<void> {
  const pdf = new PDFKit({ size: [612, 792], margin: 0, autoFirstPage: false, font: null as unknown as string });
  const bytes = buffer(pdf);
  let page = -1;
  for (const { page: on, text, x, y, size, font } of drawn.toSorted((a, b) => a.page - b.page)) {
    if (on !== page) pdf.addPage();
    page = on;
    const file = fontFiles.get(font) ?? readFileSync(require.resolve(font));
    fontFiles.set(font, file);
    pdf.registerFont(font, file).font(font).fontSize(size).fillColor('#1a1f29');
    pdf.text(text, x, y, { lineBreak: false, baseline: 'alphabetic' });
  }
  pdf.end();
  await bytes;
}
