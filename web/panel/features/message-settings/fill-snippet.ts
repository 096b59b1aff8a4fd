import { snippetVariables } from '#contract/practice/message-settings.ts';

export type SnippetValues = Readonly<Record<(typeof snippetVariables)[number], string>>;

/** A snippet with its variables filled in. A variable without a value disappears with the space before it. */
export function fillSnippet(text: string, values: SnippetValues): string {
  return snippetVariables.reduce(
    (filled, name) =>
      values[name] === ''
        ? filled.replaceAll(` {${name}}`, '').replaceAll(`{${name}}`, '')
        : filled.replaceAll(`{${name}}`, () => values[name]),
    text,
  );
}
