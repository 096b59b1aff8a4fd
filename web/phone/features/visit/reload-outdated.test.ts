import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteUnsaved } from '#web/phone/ui/unsaved.ts';
import { reloadIfIdle } from './reload-outdated.ts';

const reload = vi.fn<() => void>();
const stubPage = ({ path = '/visit/abc', age = 61_000, isTouched = false } = {}) => {
  vi.stubGlobal('location', { pathname: path, reload });
  vi.stubGlobal('navigator', { userActivation: { isActive: isTouched } });
  vi.spyOn(performance, 'now').mockReturnValue(age);
};

beforeEach(() => reload.mockClear());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('an idle page reloads', () => {
  stubPage();
  reloadIfIdle();
  expect(reload).toHaveBeenCalledOnce();
});

test.each([
  ['with a form open', { path: '/visit/abc/forms/1/consent' }],
  ['that was touched in the last seconds', { isTouched: true }],
  ['opened less than a minute ago', { age: 59_000 }],
])('a page %s does not reload', (_what, page) => {
  stubPage(page);
  reloadIfIdle();
  expect(reload).not.toHaveBeenCalled();
});

test('a page with something unsaved reloads only once that is saved', () => {
  stubPage();
  noteUnsaved('a message', true);
  noteUnsaved('a link', true);
  noteUnsaved('a link', false);
  reloadIfIdle();
  expect(reload).not.toHaveBeenCalled();
  noteUnsaved('a message', false);
  reloadIfIdle();
  expect(reload).toHaveBeenCalledOnce();
});
