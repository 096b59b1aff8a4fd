import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { en } from './messages-en.ts';
import { es } from './messages-es.ts';
import type { ScreenMessages } from './messages.ts';

/** The Spanish of each English text of an app. */
function catalogOf(app: 'panel' | 'phone' | 'phone/features/forms'): Map<string, string> {
  const file = readFileSync(`web/${app}/locales/es.po`, 'utf8');
  const texts = [...file.matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)];
  return new Map(texts.map(([, english = '', spanish = '']) => [english, spanish]));
}

/** Where each text of the pictures is on a screen. What somebody says or is called is made up. */
const screenOf: Record<Exclude<keyof ScreenMessages, 'formNames' | 'texts'>, Parameters<typeof catalogOf>[0]> = {
  checkIn: 'phone',
  name: 'panel',
  mobile: 'phone',
  here: 'phone',
  checkedIn: 'phone',
  wait: 'phone',
  comeIn: 'phone',
  comeInText: 'phone',
  onMyWay: 'phone',
  yourWay: 'phone',
  tellUs: 'phone',
  inside: 'phone',
  insideText: 'phone',
  imIn: 'phone',
  onTheWay: 'panel',
  waiting: 'panel',
  invited: 'panel',
  reinvited: 'panel',
  invite: 'panel',
  reinvite: 'panel',
  toHistory: 'panel',
  noOne: 'panel',
  choose: 'panel',
  forms: 'panel',
  yourForms: 'phone/features/forms',
  done: 'panel',
  arrived: 'panel',
};

test('the pictures of the tour use the texts of the queue and of the phone, in both languages', () => {
  const keys = Object.keys(screenOf) as (keyof typeof screenOf)[];
  const onScreens = keys.map((key) => [key, catalogOf(screenOf[key]).get(en.screens[key])]);
  expect(Object.fromEntries(onScreens)).toEqual(Object.fromEntries(keys.map((key) => [key, es.screens[key]])));
});

test('no text of the pictures is missing from the comparison', () => {
  const compared = [...Object.keys(screenOf), 'formNames', 'texts'];
  for (const { screens } of [en, es]) expect(Object.keys(screens).sort()).toEqual(compared.toSorted());
});

test('the moving picture at the entrance uses the texts of the tour, in both languages', () => {
  const source = readFileSync('web/panel/app/entry/product-scene.tsx', 'utf8');
  const shown = [...source.matchAll(/t`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('${', '{'));
  // The description for screen readers and the Pause beside it are no text of a screen.
  const texts = shown.filter(
    (text) => text !== 'Pause' && !text.startsWith('A patient taps') && !en.screens.formNames.includes(text),
  );
  const formNames = shown.filter((text) => en.screens.formNames.includes(text));
  expect(formNames).toEqual(en.screens.formNames);
  expect(formNames.map((name) => catalogOf('panel').get(name))).toEqual(es.screens.formNames);
  const all = Object.keys(screenOf) as (keyof typeof screenOf)[];
  const keys = all.filter((key) => texts.includes(en.screens[key]));
  expect(keys.map((key) => en.screens[key]).toSorted()).toEqual([...new Set(texts)].toSorted());
  const spanish = keys.map((key) => catalogOf('panel').get(en.screens[key]));
  expect(spanish).toEqual(keys.map((key) => es.screens[key]));
});
