import { i18n } from '@lingui/core';
import { beforeAll, expect, test } from 'vitest';
import { createUploads } from './uploads.ts';

beforeAll(() => i18n.activate('en'));

function upload() {
  let end: (refusal: string | null) => void = () => undefined;
  const sent = new Promise<string | null>((resolve) => (end = resolve));
  return { sent, end };
}
const isOpen = async (promise: Promise<unknown> | null) =>
  (await Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 5, 'open'))])) === 'open';

test('waitForPage waits for the pictures of the page, also for one that replaced another', async () => {
  const uploads = createUploads();
  expect(uploads.waitForPage()).toBeNull();
  const [first, second] = [upload(), upload()];
  uploads.add(first.sent);
  const sent = uploads.waitForPage();
  uploads.add(second.sent);
  first.end(null);
  expect(await isOpen(sent)).toBe(true);
  second.end(null);
  expect(await sent).toBeNull();
  expect(uploads.waitForPage()).toBeNull();
});

test('waitForPage returns a refusal once, and not after another picture replaced the refused one', async () => {
  const uploads = createUploads();
  uploads.add(Promise.resolve('Too large.'));
  expect(await uploads.waitForPage()).toBe('Too large.');
  expect(uploads.waitForPage()).toBeNull();
  uploads.add(Promise.resolve('Too large.'));
  await new Promise((resolve) => setTimeout(resolve));
  uploads.add(Promise.resolve(null));
  expect(await uploads.waitForPage()).toBeNull();
});

test('a picture the patient did not wait for delays submitting the form but no later page, and its refusal is returned there', async () => {
  const uploads = createUploads();
  const slow = upload();
  uploads.add(slow.sent);
  uploads.leavePage();
  expect(uploads.waitForPage()).toBeNull();
  const whole = uploads.waitForForm();
  expect(await isOpen(whole)).toBe(true);
  slow.end('No picture.');
  expect(await whole).toBe('No picture.');
  expect(await uploads.waitForForm()).toBeNull();
});

test('an upload that fails unexpectedly counts as refused', async () => {
  const uploads = createUploads();
  uploads.add(Promise.reject(new TypeError('no canvas')));
  expect(await uploads.waitForPage()).toBe('Something went wrong. Please try again.');
  uploads.add(Promise.reject(new TypeError('no canvas')));
  uploads.leavePage();
  expect(await uploads.waitForForm()).toBe('Something went wrong. Please try again.');
});
