import { createContext, useContext, useSyncExternalStore, type ReactNode } from 'react';

/**
 * What the phone uses of Lingui, in a fifth of its size. A build of the phone has it in the place of `@lingui/core` and `@lingui/react`, and
 * numbers in the place of the messages' ids (`script/phone-messages.ts`, which stops the build at a message that is not of these parts).
 */
export type MessagePart =
  | string
  | [value: string]
  | [value: string, kind: 'plural', forms: Record<string, MessagePart[]>];
type Values = Record<string, unknown>;
type Catalog = Record<number, MessagePart[]>;

let messages: Catalog = {};
let locale = '';
const listeners = new Set<() => void>();

/** Numbered from `first` on. */
export const catalogFrom = (first: number, texts: MessagePart[][]): Catalog =>
  Object.fromEntries(texts.map((text, i) => [first + i, text]));

/** One of the forms that a language has for numbers; `#` in it is the number. */
function formFor(count: number, forms: Record<string, MessagePart[]>, values: Values): string {
  const form = forms[count] ?? forms[new Intl.PluralRules(locale).select(count)] ?? forms.other ?? [];
  const written = new Intl.NumberFormat(locale).format(count);
  return textOf(
    form.map((part) => (part === '#' ? written : part)),
    values,
  );
}

function textOf(parts: MessagePart[], values: Values): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const [name, , forms] = part;
      return forms ? formFor(values[name] as number, forms, values) : (values[name] ?? '');
    })
    .join('');
}

const write = (id: number, values: Values = {}): string => textOf(messages[id] ?? [], values);

/** A new object whenever the messages change, so that everything that shows some renders again. */
const now = () => ({ i18n, _: (id: number, values?: Values) => write(id, values) });

function show(language: string, shown: Catalog): void {
  locale = language;
  messages = shown;
  current = now();
  for (const listener of listeners) listener();
}

export const i18n = {
  get locale() {
    return locale;
  },
  /** Only of the language on screen: who adds messages while another is chosen loads that one too (`web/kit/i18n.ts`). */
  load: (language: string, more: Catalog) => language === locale && show(locale, { ...messages, ...more }),
  loadAndActivate: (page: { locale: string; messages: Catalog }) => show(page.locale, page.messages),
  _: write,
};

let current = now();
const Messages = createContext(current);

export const useLingui = () => useContext(Messages);

function follow(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function I18nProvider({ children }: { children: ReactNode }) {
  const shown = useSyncExternalStore(follow, () => current);
  return <Messages.Provider value={shown}>{children}</Messages.Provider>;
}
