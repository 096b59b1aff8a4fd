import { setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import { checkExpressions, needsExpressions, settleCalculations } from '#questionnaire/expressions/expressions.ts';
import type { Expressions } from '#questionnaire/expressions/expression-library.ts';
import { loadExpressions } from '#questionnaire/expressions/fhirpath.ts';
import { visibleItems } from '#questionnaire/visible-items.ts';
import { enabledAnswers } from '#questionnaire/expressions/enabled-answers.ts';
import { urls } from '#questionnaire/extensions.ts';
import { helpOf } from '#questionnaire/form-item.ts';
import { titleOf, questionText } from '#questionnaire/form-texts.ts';
import { pagesOf } from '#questionnaire/pages.ts';
import { problemsOf } from '#questionnaire/checking/problems.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { Language } from '#contract/shapes.ts';
import { createFormPdf } from '#server/features/forms/form-pdf.ts';
import { pdfTexts } from '#testing/fixtures/pdf-texts.ts';
import { FormEnvironmentContext, type FormEnvironment } from '#web/questionnaire/form-context.ts';
import { fetchLazyPart, fetchPartsFor } from '#web/questionnaire/lazy-parts.ts';
import { Questions } from '#web/questionnaire/questions.tsx';
import { loadAllMessages } from '#web/questionnaire/locales/catalogs.ts';
import { randomAnswers } from './random-answers.ts';
import { builtIn, questionnairesFromFolder, questionnaireShapes } from './known-questionnaires.ts';
import { ask, control, expression, group, questionnaire as shape } from '#questionnaire/test-builders.ts';

const today: EvaluationContext = { today: '2026-05-04' };
const around: FormEnvironment = {
  trackUpload: () => undefined,
  storePicture: () => Promise.reject(new Error('nothing is kept here')),
  pictureUrl: ({ url = '' }) => url,
  scrollToTop: () => undefined,
};

let expressions: Expressions;
beforeAll(async () => {
  expressions = await loadExpressions();
  await fetchLazyPart('rest');
});

/** Filled once, shown page by page as on a phone and printed as it is filed: every question is on both, in both languages. */
async function isShown(questionnaire: Questionnaire): Promise<void> {
  const calculates = needsExpressions(questionnaire) ? expressions : undefined;
  const answers = randomAnswers(questionnaire, 1, today, calculates);
  const setting = calculates ? settleCalculations(questionnaire, answers, calculates, today).setting : today;
  await fetchPartsFor(questionnaire);
  for (const language of ['en', 'es'] as const) {
    const read = visibleItems(questionnaire, answers, setting)
      .flatMap(({ item }) => [item, ...helpOf(item)])
      .map((item) => plain(questionText(item, language)));
    const screen = await onScreen(questionnaire, answers, setting, language);
    expect(read.filter((text) => !screen.includes(text))).toEqual([]);
    const pdfText = await pdfTextOf(questionnaire, enabledAnswers(questionnaire, answers, setting), setting, language);
    expect(read.filter((text) => !pdfText.includes(text))).toEqual([]);
  }
}

/** Without spaces: lines break where they must. */
const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, '');

async function onScreen(questionnaire: Questionnaire, answers: Answers, setting: EvaluationContext, locale: Language) {
  const messages = await loadAllMessages(locale);
  const i18n = setupI18n({ locale, messages: { [locale]: messages } });
  const nothing = () => undefined;
  const markup = pagesOf(questionnaire, answers, setting).map((page) =>
    renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <FormEnvironmentContext value={around}>
          {page.group && <h1>{questionText(page.group, locale)}</h1>}
          <Questions
            page={page}
            answers={answers}
            prefilled={{}}
            problems={new Map()}
            setting={setting}
            onAnswer={nothing}
            onChange={nothing}
          />
        </FormEnvironmentContext>
      </I18nProvider>,
    ),
  );
  const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
  return plain(
    markup
      .join(' ')
      .replace(/<[^>]+>/g, '')
      .replace(/&([^;]+);/g, (_, name: string) => signs[name] ?? ''),
  );
}

async function pdfTextOf(
  questionnaire: Questionnaire,
  answers: Answers,
  setting: EvaluationContext,
  language: Language,
) {
  const pdf = await createFormPdf(
    {
      language,
      questionnaire,
      answers,
      setting,
      formName: titleOf(questionnaire, language),
      formType: 'shown',
      formVersion: 1,
      officeName: 'Maple Street Pediatrics',
      officeAddress: '48 Maple Street, Brooklyn, NY 11201',
      timeZone: 'America/New_York',
      patientName: 'José Łukasz Nguyễn',
      birthDate: '1990-12-10',
      filledBy: 'Ada Byron',
      completedAt: new Date('2026-05-04T10:00:00Z'),
      submissionId: '019f1111-1111-7111-8111-111111111111',
      amends: null,
      product: 'Anteroom',
    },
    new Map(),
  );
  const printed = plain((await pdfTexts(pdf)).join(' '));
  expect(printed).toContain('JoséŁukaszNguyễn');
  return printed;
}

const help = (linkId: string, text: string) => ask(linkId, text, 'display', { extension: [control('help')] });

test('help texts below a group are on the phone and in the PDF', () =>
  isShown(
    shape('group-help', 'Help below groups', [
      group('over', 'Over the last two weeks', [
        help('over-help', 'Choose what fits best.'),
        ask('tired', 'Tired?', 'boolean'),
      ]),
      group('drug', 'A medicine', [help('drug-help', 'Also vitamins.'), ask('name', 'Its name', 'string')], {
        repeats: true,
      }),
      group('around', 'Around', [
        group('inside', 'Inside', [help('inside-help', 'Only last month.'), ask('b', 'B?', 'boolean')]),
      ]),
      group('only', 'Only to read', [help('only-help', 'Nothing is asked here.')]),
    ]),
  ));

test('texts for those who fill in a form are on the phone only, texts for readers in the PDF only', async () => {
  const text = (linkId: string, mode: string, controlCode: string) =>
    ask(linkId, linkId, 'display', {
      extension: [{ url: urls.usageMode, valueCode: mode }, control(controlCode)],
    });
  const form = shape('modes', 'Modes', [
    group('g', 'Sleep', [
      text('typehere', 'capture', 'help'),
      text('forreaders', 'display', 'legal'),
      text('forboth', 'capture-display', 'prompt'),
      ask('a', 'Question', 'string', { item: [text('below', 'display', 'help')] }),
    ]),
  ]);
  const answers = { a: ['x'] };
  const [phone, pdf] = [await onScreen(form, answers, {}, 'en'), await pdfTextOf(form, answers, {}, 'en')];
  const found = (words: string) => ['typehere', 'forreaders', 'forboth', 'below'].filter((one) => words.includes(one));
  expect(found(phone)).toEqual(['typehere', 'forboth']);
  expect(found(pdf)).toEqual(['forreaders', 'forboth', 'below']);
});

test('a calculation without a result says so on the phone and in the PDF, and does not block the form', async () => {
  const total = expression(
    'calculatedExpression',
    "%resource.item.where(linkId='a').answer.value / %resource.item.where(linkId='b').answer.value",
  );
  const ratio = shape('ratio', 'A ratio', [
    ask('a', 'A', 'decimal'),
    ask('b', 'B', 'decimal'),
    ask('ratio', 'Ratio', 'decimal', { required: true, readOnly: true, extension: [total] }),
    ask('again', 'Again', 'decimal', { required: true, extension: [total] }),
  ]);
  await fetchPartsFor(ratio);
  const { answers, setting } = settleCalculations(ratio, { a: [1], b: [0] }, expressions, today);
  expect(problemsOf(ratio, answers, setting)).toEqual([]);
  expect(enabledAnswers(ratio, answers, setting)).toEqual(answers);
  expect(settleCalculations(ratio, { a: [1], b: [2] }, expressions, today).answers['again']).toEqual([0.5]);
  const times = (part: string, text: string) => text.split(plain(part)).length - 1;
  const english = 'Not calculated yet: it depends on your other answers. You can continue without it.';
  expect(times(english, await onScreen(ratio, answers, setting, 'en'))).toBe(1);
  expect(times('You can also enter it yourself.', await onScreen(ratio, answers, setting, 'en'))).toBe(1);
  expect(times('Todavía no se ha calculado', await onScreen(ratio, answers, setting, 'es'))).toBe(1);
  expect(times('También puede escribirlo usted.', await onScreen(ratio, answers, setting, 'es'))).toBe(1);
  expect(times('Not calculated: some answers are missing.', await pdfTextOf(ratio, answers, setting, 'en'))).toBe(2);
  expect(times('No calculado: faltan algunas respuestas.', await pdfTextOf(ratio, answers, setting, 'es'))).toBe(2);
});

test('a calculation whose result fits nowhere says so on the phone and in the PDF, not that answers are missing', async () => {
  const text = expression('calculatedExpression', "'heavy' & %resource.item.where(linkId='a').answer.value.toString()");
  const unfit = shape('unfit', 'Unfit', [
    ask('a', 'A', 'decimal'),
    ask('fixed', 'Fixed', 'decimal', { readOnly: true, extension: [text] }),
    ask('open', 'Open', 'decimal', { extension: [text] }),
  ]);
  await fetchPartsFor(unfit);
  const { answers, setting } = settleCalculations(unfit, { a: [1] }, expressions, today);
  const screen = await onScreen(unfit, answers, setting, 'en');
  expect(screen).toContain(
    plain('This could not be calculated from your answers. You can continue: the office will see that it is missing.'),
  );
  expect(screen).toContain(plain('This could not be calculated from your answers. You can enter it yourself.'));
  expect(screen).not.toContain(plain('Not calculated yet'));
  expect(await onScreen(unfit, answers, setting, 'es')).toContain(plain('No se pudo calcular con sus respuestas.'));
  const pdfText = await pdfTextOf(unfit, answers, setting, 'en');
  expect(pdfText.split(plain('Could not be calculated from these answers.'))).toHaveLength(3);
});

async function markupOf(form: Questionnaire, locale: Language = 'en', answers: Answers = {}): Promise<string> {
  await fetchPartsFor(form);
  const messages = await loadAllMessages(locale);
  const i18n = setupI18n({ locale, messages: { [locale]: messages } });
  const nothing = () => undefined;
  return pagesOf(form, answers)
    .map((page) =>
      renderToStaticMarkup(
        <I18nProvider i18n={i18n}>
          <FormEnvironmentContext value={around}>
            <Questions
              page={page}
              answers={answers}
              prefilled={{}}
              problems={new Map()}
              onAnswer={nothing}
              onChange={nothing}
            />
          </FormEnvironmentContext>
        </I18nProvider>,
      ),
    )
    .join(' ');
}

const laidOut = (url: string, more: object) => ({ _text: { extension: [{ url, ...more }] } });

test('a text is shown as its author laid it out, without anything that could run or be loaded', async () => {
  const markdown = laidOut(urls.markdown, { valueMarkdown: 'Be **sure** <script>alert(1)</script>' });
  const xhtml = laidOut(urls.xhtml, {
    valueString: '<div>How <b>well</b>?<script>alert(2)</script><img src="https://example.org/x.png"/></div>',
  });
  const form = shape('laid-out', 'Laid out', [
    ask('read', 'Be sure', 'display', markdown),
    ask('a', 'How well?', 'string', xhtml),
  ]);
  const markup = await markupOf(form);
  expect(markup).toContain('<strong>sure</strong>');
  expect(markup).toContain('How <strong>well</strong>?');
  expect(markup).not.toContain('<script');
  expect(markup).not.toContain('example.org');
  expect(markup).not.toContain('alert(2)');
});

test('a translation is shown instead of a layout in another language', async () => {
  const { _text } = laidOut(urls.markdown, { valueMarkdown: 'Be **sure**' });
  const spanish = {
    url: urls.translation,
    extension: [
      { url: 'lang', valueCode: 'es' },
      { url: 'content', valueString: 'Asegúrese' },
    ],
  };
  const text = { _text: { extension: [..._text.extension, spanish] } };
  const form = shape('both', 'Both', [ask('read', 'Be sure', 'display', text), ask('a', 'A', 'string')]);
  expect(await markupOf(form, 'es')).toContain('Asegúrese');
  expect(await markupOf(form, 'en')).toContain('<strong>sure</strong>');
});

test('questions and groups have their links to read more, and their pictures', async () => {
  const link = (url: string) => ({ url: urls.supportLink, valueUri: url });
  const media = (valueAttachment: object) => ({ url: urls.itemMedia, valueAttachment });
  const inside = media({ contentType: 'image/png', data: 'AAAA', title: 'A face' });
  const elsewhere = media({ contentType: 'image/png', url: 'https://example.org/face.png' });
  const form = shape('links', 'Links', [
    group('g', 'Pain', [ask('a', 'Where?', 'string', { extension: [link('https://example.org/a'), inside] })], {
      extension: [link('https://example.org/g'), link('javascript:alert(1)'), elsewhere],
    }),
  ]);
  const markup = await markupOf(form);
  expect(markup.match(/<a href="[^"]*"/g)).toEqual([
    '<a href="https://example.org/face.png"',
    '<a href="https://example.org/g"',
    '<a href="https://example.org/a"',
  ]);
  expect(markup.match(/<img [^>]*>/g)).toEqual([
    expect.stringContaining('src="data:image/png;base64,AAAA" alt="A face"'),
  ]);
});

test('options have their pictures, and recordings or what is kept elsewhere below them', async () => {
  const option = (code: string, display: string, valueAttachment: object) => ({
    valueCoding: { code, display },
    extension: [{ url: urls.itemAnswerMedia, valueAttachment }],
  });
  const face = { contentType: 'image/png', data: 'AAAA' };
  const answerOption = [
    option('0', 'No pain', { ...face, title: 'A smiling face' }),
    option('2', 'Some pain', { ...face, title: 'Some pain' }),
    option('4', 'Much pain', { contentType: 'image/png', url: 'https://example.org/4.png' }),
    option('6', 'Worst', { contentType: 'image/png', url: 'javascript:alert(1)' }),
  ];
  const extension = [control('drop-down')];
  const form = shape('faces', 'Faces', [ask('pain', 'Pain?', 'choice', { answerOption, extension })]);
  const markup = await markupOf(form);
  expect(markup.match(/<img [^>]*>/g)?.map((tag) => /alt="([^"]*)"/.exec(tag)?.[1])).toEqual(['A smiling face', '']);
  expect(markup.match(/<a href="[^"]*"[^>]*>[^<]*/g)).toEqual([
    expect.stringMatching(/^<a href="https:\/\/example\.org\/4\.png".*Much pain: Open the picture$/),
  ]);
  expect(markup.match(/type="radio"/g)).toHaveLength(4);
  expect(markup.match(/<label[^>]*>(?:(?!<\/label>).)*<a /g)).toBe(null);
});

test('the answer in one’s own words is called as the author says, also in Spanish', async () => {
  const lang = { url: 'lang', valueCode: 'es' };
  const spanish = { url: urls.translation, extension: [lang, { url: 'content', valueString: 'Otra mascota' }] };
  const openLabel = { url: urls.openLabel, valueString: 'Another pet', _valueString: { extension: [spanish] } };
  const answerOption = [{ valueCoding: { code: 'cat', display: 'Cat' } }];
  for (const extension of [[openLabel], [openLabel, control('drop-down')]]) {
    const form = shape('pets', 'Pets', [ask('pet', 'Your pet?', 'open-choice', { answerOption, extension })]);
    expect(await markupOf(form)).toContain('Another pet');
    expect(await markupOf(form, 'es')).toContain('Otra mascota');
  }
});

test('a group that can be folded is folded as its author says, and never away from a problem', async () => {
  const folded = (code: string) => [{ url: urls.collapsible, valueCode: code }];
  const form = shape('folded', 'Folded', [
    group('all', 'All', [
      group('open', 'Open', [ask('a', 'A', 'string')], { extension: folded('default-open') }),
      group('closed', 'Closed', [ask('b', 'B', 'string')], { extension: folded('default-closed') }),
    ]),
  ]);
  const details = (await markupOf(form)).match(/<details[^>]*>/g);
  expect(details?.map((tag) => tag.includes('open=""'))).toEqual([true, false]);
});

test.each(questionnaireShapes)('%s', (_, shape) => isShown(shape));
test.each(builtIn)('%s', (_, input) => isShown(input as Questionnaire));

describe.skipIf(!questionnairesFromFolder)('questionnaires of the folder QUESTIONNAIRES_DIR', () => {
  test.each(questionnairesFromFolder ?? [])('%s', async (_, input) => {
    const { questionnaire, isUsable } = checkQuestionnaire(JSON.stringify(input));
    if (questionnaire && isUsable && checkExpressions(questionnaire, expressions).length === 0)
      await isShown(questionnaire);
  });
});
