import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { launchChromium } from '#bench/ground/browser.ts';
import { buildSmartForms, smartFormsVersion } from '#bench/ground/smart-forms.ts';
import type { Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { fillingDay } from './trait-forms.ts';

const lhcForms = '40.1.3';
const folder = join(tmpdir(), `anteroom-form-readers-${smartFormsVersion}-${lhcForms}`);

export const peers = ['Smart Forms', 'LHC-Forms'] as const;
export type Peer = (typeof peers)[number];

/**
 * Other programs that read FHIR questionnaires, in one browser: Smart Forms (Apache-2.0) and LHC-Forms (BSD-style). They are fetched for
 * this comparison only. Undefined without a package registry.
 */
export async function openFormReaders() {
  if (!existsSync(join(folder, 'dist/index.html')) && !(await buildPages())) return undefined;
  const server = createServer((request, reply) => {
    const path = normalize(new URL(request.url ?? '/', 'http://peer').pathname);
    const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
    readFile(join(folder, 'dist', path)).then(
      (file) => reply.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream').end(file),
      () => reply.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const browser = await launchChromium();
  const page = await browser.newPage();
  // Forms that look at the day of filling are all filled on this one.
  await page.clock.setFixedTime(new Date(`${fillingDay}T15:00:00Z`));
  const pages: Record<Peer, string> = { 'Smart Forms': 'index.html', 'LHC-Forms': 'lhc.html' };

  return {
    /** Opens a program; `read` asks the one that was opened last. */
    async open(peer: Peer): Promise<void> {
      await page.goto(`http://127.0.0.1:${port}/${pages[peer]}`);
      await page.waitForFunction(() => 'readForm' in globalThis);
    },
    /** What is left of a person's answers, and what was calculated from them; or why the program could not read the form. */
    read: (questionnaire: Questionnaire, response: QuestionnaireResponse): Promise<QuestionnaireResponse | string> =>
      page.evaluate(
        ([form, answers]) =>
          (globalThis as unknown as { readForm: ReadForm })
            .readForm(form, answers)
            .catch((error: unknown) => String(error)),
        [questionnaire, response] as const,
      ),
    async close(): Promise<void> {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type ReadForm = (questionnaire: Questionnaire, response: QuestionnaireResponse) => Promise<QuestionnaireResponse>;

async function buildPages(): Promise<boolean> {
  const html = '<!doctype html><script type="module" src="/main.js"></script>';
  if (!(await buildSmartForms(folder, html, smartFormsScript))) return false;
  const run = (command: string, args: string[]) =>
    spawnSync(command, args, { cwd: folder, stdio: 'ignore' }).status === 0;
  // LHC-Forms is used as it is built, so none of what it is built from is installed.
  if (!run('npm', ['pack', `lforms@${lhcForms}`])) return false;
  if (!run('tar', ['xzf', `lforms-${lhcForms}.tgz`, 'package/dist/lforms'])) return false;
  await cp(join(folder, 'package/dist/lforms'), join(folder, 'dist/lforms'), { recursive: true });
  await writeFile(join(folder, 'dist/lhc.html'), lhcPage);
  return true;
}

/** Its store without its screens. The calculations run after the form is built, one after the other. */
const smartFormsScript = `
import {
  buildForm, destroyForm, getResponse, removeEmptyAnswersFromResponse, removeInternalIdsFromResponse,
} from '@aehrc/smart-forms-renderer';

globalThis.readForm = async (questionnaire, response) => {
  destroyForm();
  await buildForm({ questionnaire, questionnaireResponse: response });
  let before = '';
  for (let i = 0; i < 40; i++) {
    await new Promise((done) => setTimeout(done, 5));
    const now = JSON.stringify(getResponse());
    if (now === before) break;
    before = now;
  }
  return removeInternalIdsFromResponse(questionnaire, removeEmptyAnswersFromResponse(questionnaire, getResponse()));
};
`;

const lhcPage = `<!doctype html><meta charset="utf-8"><base href="/lforms/webcomponent/"><link rel="stylesheet" href="styles.css">
<div id="form"></div>
<script src="assets/lib/zone.min.js"></script><script src="lhc-forms.js"></script><script src="../fhir/R4/lformsFHIR.min.js"></script>
<script>
globalThis.readForm = async (questionnaire, response) => {
  const place = document.getElementById('form');
  place.textContent = '';
  const form = LForms.Util.convertFHIRQuestionnaireToLForms(questionnaire, 'R4');
  const filled = LForms.Util.mergeFHIRDataIntoLForms(response, form, 'R4');
  // Otherwise each calculation without a saved result counts as one that a person emptied.
  filled.hasSavedData = false;
  await LForms.Util.addFormToPage(filled, 'form', { prepopulate: false });
  // It is there, and has calculated, some time after it says so.
  let before = '';
  for (let tries = 1; tries <= 100; tries++) {
    await new Promise((done) => setTimeout(done, 25));
    let read;
    try {
      read = LForms.Util.getFormFHIRData('QuestionnaireResponse', 'R4', place);
    } catch {
      continue;
    }
    const now = JSON.stringify(read.item);
    if (now === before) return read;
    before = now;
  }
  throw new Error('it was never ready');
};
</script>`;
