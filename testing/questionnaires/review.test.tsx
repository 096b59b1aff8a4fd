import { setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import { urls } from '#questionnaire/extensions.ts';
import { pagesOf } from '#questionnaire/pages.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { FilledForm, FormSession } from '#web/questionnaire/filled-form.ts';
import { FormEnvironmentContext } from '#web/questionnaire/form-context.ts';
import { loadAllMessages } from '#web/questionnaire/locales/catalogs.ts';
import { Review } from '#web/questionnaire/review/review.tsx';
import { ask, control, group, questionnaire } from '#questionnaire/test-builders.ts';

async function reviewOf(form: Questionnaire, setting: EvaluationContext = {}): Promise<string> {
  const messages = await loadAllMessages('en');
  const i18n = setupI18n({ locale: 'en', messages: { en: messages } });
  const filling = {
    form: { formName: 'Insurance Card' },
    questionnaire: form,
    answers: {},
    setting: { today: '2026-05-04', ...setting },
    problems: [],
    isSubmitting: false,
    errorMessage: null,
  } as unknown as FilledForm;
  const environment = {
    trackUpload: () => undefined,
    storePicture: () => Promise.reject(new Error('nothing is kept here')),
    pictureUrl: () => '',
    scrollToTop: () => undefined,
  };
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <FormEnvironmentContext value={environment}>
        <Review
          whose={undefined}
          filling={filling}
          session={{} as FormSession}
          pages={pagesOf(form, {})}
          onPage={() => undefined}
          onBack={() => undefined}
        />
      </FormEnvironmentContext>
    </I18nProvider>,
  );
}
const headings = (markup: string) => [...markup.matchAll(/<h2[^>]*>([^<]*)</g)].map(([, text]) => text);

test('sections of a group that fills two pages have different names', async () => {
  const questions = Array.from({ length: 12 }, (_, n) => ask(`q${n}`, `Question ${n}`, 'string'));
  const markup = await reviewOf(questionnaire('card', 'Card', [group('second', 'A second insurance', questions)]));
  expect(headings(markup)).toEqual(['A second insurance (1 of 2)', 'A second insurance (2 of 2)']);
});

test('an answer that cannot be changed has no Change button', async () => {
  const form = questionnaire('known', 'Known', [
    group('facts', 'Facts', [ask('id', 'ID', 'string', { readOnly: true })]),
  ]);
  const markup = await reviewOf(form);
  expect(headings(markup)).toHaveLength(1);
  expect(markup).not.toContain('Change');
});

test('the review shows the texts that belong to a group, and a question by its short text', async () => {
  const prompt = ask('prompt', 'Over the last two weeks', 'display', { extension: [control('prompt')] });
  const short = { url: urls.shortText, valueString: 'Sleep' };
  const question = ask('a', 'How well have you slept in the last two weeks?', 'string', { extension: [short] });
  const form = questionnaire('mood', 'Mood', [
    group('g', 'Mood', [prompt, question]),
    group('h', 'More', [ask('b', 'B', 'string')]),
  ]);
  const markup = await reviewOf(form);
  expect(markup).toContain('Over the last two weeks');
  expect(markup).toContain('<dt>Sleep</dt>');
});

test('a broken rule of the whole form is shown in the review', async () => {
  const message = { en: 'Please answer A or B.', es: 'Responda A o B.' };
  const broken = [{ linkId: '', path: '', isWarning: false, isEarly: true, message }];
  const form = questionnaire('either', 'Either', [group('g', 'G', [ask('a', 'A', 'string')])]);
  expect(await reviewOf(form, { broken })).toContain('Please answer A or B.');
});
