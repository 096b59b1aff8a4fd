import { devices, type Browser, type Page } from '@playwright/test';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { settleCalculations } from '#questionnaire/expressions/expressions.ts';
import type { Answers } from '#questionnaire/values.ts';
import { createFormPdf } from '#server/features/forms/form-pdf.ts';
import { arrive } from '#server/features/queue/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { launchChromium, measureLoad, readLoad } from '#bench/ground/browser.ts';
import { formsOffice } from '#bench/ground/forms-office.ts';
import { measureInteractions } from '#bench/ground/interactions.ts';
import { largeForm } from '#bench/ground/large-form.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';
import { askForForms } from '#bench/ground/patient-form.ts';
import { median, ms, type Line } from '#bench/ground/report-lines.ts';
import { openSmartForms } from '#bench/ground/smart-forms.ts';

const { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch } = devices['Pixel 7'];
const who = { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch };
const rounds = 3;

/** What opening and typing cost on a slow phone. */
interface Costs {
  openMs: number;
  keyMs: number;
  sumMs: number;
}

/** A form of 820 items and 700 calculations on a phone at 4x throttle, beside Smart Forms in the same browser; and its PDF. */
export async function largeFormBench(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const browser = await launchChromium();
  const peer = await openSmartForms(largeForm());
  try {
    const office = await formsOffice(ground);
    const { url } = await ground.server();
    const loaded = await fetch(`${url}/api/office/forms`, {
      method: 'POST',
      headers: { ...office.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ text: JSON.stringify(largeForm()) }),
    });
    if (!loaded.ok) throw new Error(`the form was not loaded: ${await loaded.text()}`);
    await askForForms(url, office, ['large']);
    const ours: Costs[] = [];
    const theirs: Costs[] = [];
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
      const listed = await fetch(`${url}/api/visit/${token}/forms`);
      const { members } = (await listed.json()) as { members: { memberId: string }[] };
      const address = `${url}/visit/${token}/forms/${members[0]?.memberId}/large`;
      ours.push(await measureForm(browser, address, 'form progress', 'dl dd'));
      // Once: at this throttle it takes minutes.
      if (peer && round === 0)
        theirs.push(await measureForm(browser, peer.url, 'input', '[data-linkid="g0-sum"] input'));
    }
    return [...linesOf(ours, theirs), await pdfLine()];
  } finally {
    await browser.close();
    await peer?.close();
    await ground.close();
  }
}

/** Opens the form and types numbers into its first field; `sum` is where their sum is shown. */
function measureForm(browser: Browser, url: string, shown: string, sum: string): Promise<Costs> {
  return measureLoad(browser, { url, shown, who }, async (page) => {
    const { shownMs } = await readLoad(page);
    await page.locator('input').first().focus();
    const { p95Ms } = await measureInteractions(page, typing);
    const sums: number[] = [];
    for (const digit of '123456') {
      await page.evaluate(watchSum, sum);
      await page.keyboard.press(digit);
      sums.push(await page.evaluate(() => (globalThis as unknown as { sumShown: Promise<number> }).sumShown));
      await page.keyboard.press('Backspace');
      await page.waitForTimeout(600);
    }
    return { openMs: shownMs, keyMs: p95Ms, sumMs: median(sums) };
  });
}

const keys = Array.from({ length: 6 }, (_, i) => [String(i), String((i * 7) % 10), 'Backspace', 'Backspace']).flat();
const typing = keys.map((key) => (page: Page) => page.keyboard.press(key));

/** Runs in the page: how long after the next key another sum is on screen. */
function watchSum(selector: string): void {
  const read = () => {
    const shown = document.querySelector(selector);
    return shown instanceof HTMLInputElement ? shown.value : (shown?.textContent ?? '');
  };
  const before = read();
  const sumShown = new Promise<number>((resolve) => {
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        const look = () => {
          const now = performance.now();
          if (read() !== before || now - timeStamp > 10_000) resolve(now - timeStamp);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      { capture: true, once: true },
    );
  });
  Object.assign(globalThis, { sumShown });
}

function linesOf(ours: readonly Costs[], theirs: readonly Costs[]): Line[] {
  const line = (what: string, cost: keyof Costs, aimMs: number | null): Line => {
    const figure = median(ours.map((run) => run[cost]));
    const peer =
      theirs.length > 0 ? `Smart Forms ${ms(median(theirs.map((run) => run[cost])))}` : 'without Smart Forms';
    return {
      what,
      figure: ms(figure),
      beside: peer,
      aim: aimMs ? `≤ ${ms(aimMs)}` : '',
      met: aimMs ? figure <= aimMs : null,
    };
  };
  const form = 'a form of 820 items with 700 calculations, 4x CPU throttle:';
  return [
    line(`${form} a key press to its paint, p95`, 'keyMs', 60),
    line(`${form} a key press to the new sum on screen`, 'sumMs', null),
    line(`${form} opened, its first page on screen`, 'openMs', 2500),
  ];
}

/** The whole form as a PDF, calculated first, as the server does it when the form is filed. */
async function pdfLine(): Promise<Line> {
  const questionnaire = largeForm();
  const expressions = await loadExpressions();
  const given: Answers = Object.fromEntries(
    Array.from({ length: 20 }, (_, group) =>
      Array.from({ length: 5 }, (_, i) => [`g${group}-q${i}`, [group + i]]),
    ).flat(),
  );
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const started = performance.now();
    const { answers, setting } = settleCalculations(questionnaire, given, expressions, { today: '2026-05-04' });
    await createFormPdf(
      {
        language: 'en',
        questionnaire,
        answers,
        setting,
        formName: 'Large',
        formType: 'large',
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
    times.push(performance.now() - started);
  }
  const cost = median(times);
  return {
    what: 'the same form calculated and made into its PDF, on the server',
    figure: ms(cost),
    beside: '',
    aim: '≤ 5 s of the worker',
    met: cost <= 5000,
  };
}
