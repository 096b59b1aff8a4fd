import { statesByName } from '#contract/practice/choices.ts';
import { businessTypes } from '#contract/merchant.ts';
import type { Language } from '#contract/shapes.ts';
import { escapeHtml as e } from '#server/kit/http/openapi-page.ts';
import { hostedFormMessages, type HostedFormMessages } from '#server/providers/merchant/local-messages.ts';
import type { FormAnswers } from '#server/providers/merchant/local-sql.ts';
import {
  formSteps,
  stepFields,
  type FieldName,
  type FormField,
  type FormStep,
} from '#server/providers/merchant/local-steps.ts';

interface StepPage {
  product: string;
  language: Language;
  /** The path of the form's link. */
  path: string;
  step: FormStep;
  /** What the fields show: what was typed, else what is stored. */
  values: FormAnswers;
  stored: FormAnswers;
  wrong: readonly FieldName[];
  demo: boolean;
  /** The review needs more: the form is filled in again. */
  isReturned: boolean;
}

/** One step of the hosted form. It works without a script: each button posts and the answer is the next page. */
export function stepPage({ product, language, path, step, values, stored, wrong, demo, isReturned }: StepPage): string {
  const t = hostedFormMessages[language];
  const at = formSteps.indexOf(step) + 1;
  const isLast = at === formSteps.length;
  const main = `
<p class="note">${e(t.demonstration)}</p>
<div>
  <p class="help">${e(t.heading)} · ${e(t.progress(at))}</p>
  <h1>${e(t.steps[step].title)}</h1>
  <p class="help">${e(t.steps[step].help)}</p>
</div>
${isReturned ? `<p class="note">${e(t.returned)}</p>` : ''}
<form method="post" action="${e(path)}/${step}" novalidate>
  ${wrong.length > 0 ? `<p class="error" role="alert">${e(t.wrong)}</p>` : ''}
  ${stepFields[step].map((field) => fieldHtml(t, language, field, { values, stored, wrong })).join('')}
  ${isLast && demo ? reviewChoice(t) : ''}
  <div class="line">
    ${at > 1 ? `<a class="button" href="${e(path)}?step=${formSteps[at - 2]}">${e(t.back)}</a>` : '<span></span>'}
    <button class="button filled">${e(isLast ? t.submit : t.next)}</button>
  </div>
  <p class="help">${e(t.saved)}</p>
</form>
${
  demo
    ? `<details>
  <summary>${e(t.tryOut)}</summary>
  <p class="help">${e(t.expireHelp)}</p>
  <form class="bare" method="post" action="${e(path)}/expire"><button class="button">${e(t.expire)}</button></form>
</details>`
    : ''
}`;
  return frame(product, language, `${t.steps[step].title} – ${t.heading}`, main);
}

/** Shown once the form is submitted, or if the link is not known. `decidePath` ends a review, for trying out. */
export function closedPage(
  product: string,
  language: Language,
  closed: keyof HostedFormMessages['closed'],
  { backTo, decidePath }: { backTo: string; decidePath?: string },
): string {
  const t = hostedFormMessages[language];
  const { title, text } = t.closed[closed];
  const decide = decidePath
    ? `<details>
  <summary>${e(t.tryOut)}</summary>
  <p class="help">${e(t.decide.help)}</p>
  <form class="bare" method="post" action="${e(decidePath)}">
    <button class="button" name="review" value="approved">${e(t.decide.approve)}</button>
    <button class="button" name="review" value="rejected">${e(t.decide.reject)}</button>
    <button class="button" name="review" value="update-requested">${e(t.decide.needMore)}</button>
  </form>
</details>`
    : '';
  const main = `<div class="end"><h1>${e(title)}</h1><p>${e(text)}</p><p><a class="button" href="${e(backTo)}">${e(t.goBack)}</a></p></div>${decide}`;
  return frame(product, language, title, main);
}

interface FieldState {
  values: FormAnswers;
  stored: FormAnswers;
  wrong: readonly FieldName[];
}

function fieldHtml(
  t: HostedFormMessages,
  language: Language,
  { name, kind, secret }: FormField,
  { values, stored, wrong }: FieldState,
): string {
  const { label, hint, error } = t.fields[name];
  const isWrong = wrong.includes(name);
  const note = secret && stored[name] ? t.onFile(stored[name]) : hint;
  const described = [note && `${name}-hint`, isWrong && `${name}-error`].filter(Boolean).join(' ');
  const attributes = `id="${name}" name="${name}"${described && ` aria-describedby="${described}"`}${isWrong ? ' aria-invalid="true"' : ''}`;
  const value = secret ? '' : (values[name] ?? '');
  const notes = `
    ${note ? `<p class="help" id="${name}-hint">${e(note)}</p>` : ''}
    ${isWrong ? `<p class="error" id="${name}-error">${e(error)}</p>` : ''}`;
  if (kind === 'check')
    return `<div class="field"><label class="check"><input type="checkbox" value="yes" ${attributes}${value === 'yes' ? ' checked' : ''}> <span>${e(label)}</span></label>${notes}</div>`;
  const control =
    kind === 'choice' || kind === 'state'
      ? `<select ${attributes}>${optionsOf(t, language, kind, value)}</select>`
      : `<input ${inputType[kind]} ${attributes} value="${e(value)}" autocomplete="off" maxlength="120">`;
  return `<div class="field"><label for="${name}">${e(label)}</label>${control}${notes}</div>`;
}

const inputType = {
  text: 'type="text"',
  date: 'type="date"',
  digits: 'type="text" inputmode="numeric"',
  tel: 'type="tel"',
};

function optionsOf(t: HostedFormMessages, language: Language, kind: 'choice' | 'state', value: string): string {
  const options =
    kind === 'state'
      ? statesByName(language).map(({ code, name }) => [code, name] as const)
      : businessTypes.map((type) => [type, t.businessTypes[type]] as const);
  return [['', t.choose] as const, ...options]
    .map(([code, name]) => `<option value="${e(code)}"${code === value ? ' selected' : ''}>${e(name)}</option>`)
    .join('');
}

function reviewChoice({ tryOut, review }: HostedFormMessages): string {
  const choices = [
    ['approved', review.approve],
    ['rejected', review.reject],
    ['', review.leave],
  ] as const;
  const radios = choices.map(
    ([value, label], i) =>
      `<label class="choice"><input type="radio" name="review" value="${value}"${i === 0 ? ' checked' : ''}> ${e(label)}</label>`,
  );
  return `<fieldset><legend>${e(tryOut)}: ${e(review.question)}</legend><div class="choices">${radios.join('')}</div></fieldset>`;
}

function frame(product: string, language: Language, title: string, main: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${e(title)} – ${e(product)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/merchant/assets/page.css">
</head>
<body>
<main>${main}</main>
</body>
</html>`;
}
