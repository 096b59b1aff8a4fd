import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerMs, sampleQueue } from './sample-queue.ts';
import { samplesOfTab, type SamplePatient } from './sample-store.ts';

const fetched = vi.fn<typeof fetch>();
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetched);
  sampleQueue.start('maple', '1234567893');
});
afterEach(() => {
  sampleQueue.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
const read = () => samplesOfTab.get();
const first = () => read()?.patients[0] as SamplePatient;
const id = () => first().visit.id;

test('a sample patient who is called in answers and comes', () => {
  sampleQueue.move(id(), 'invite');
  expect(first().visit.statusCode).toBe('INVITED');
  vi.advanceTimersByTime(answerMs);
  expect(first().visit.statusCode).toBe('GOING');
  expect(first().messages.map(({ kind }) => kind)).toEqual(['invite', 'on-my-way']);
});

test('a move that the state does not allow changes nothing', () => {
  sampleQueue.move(id(), 'finish');
  expect(first().visit).toMatchObject({ statusCode: 'WAITING', version: 1 });
});

test('a finished sample patient can be moved back to the state before', () => {
  sampleQueue.move(id(), 'invite');
  sampleQueue.move(id(), 'finish', 'no-show');
  expect(first().visit).toMatchObject({ statusCode: 'DOCTOR_CANCELLED', endReason: 'no-show' });
  vi.advanceTimersByTime(answerMs);
  expect(first().visit.statusCode).toBe('DOCTOR_CANCELLED');
  sampleQueue.move(id(), 'moveBack');
  expect(first().visit).toMatchObject({ statusCode: 'INVITED', endReason: null });
});

test('a request for forms and a message are answered, and nothing is ever sent', () => {
  sampleQueue.requestForms(id());
  sampleQueue.write(id(), 'Please use the side door.');
  vi.advanceTimersByTime(answerMs);
  expect(first()).toMatchObject({ missingForms: 0 });
  expect(first().messages.map(({ kind }) => kind)).toEqual(['forms', 'message', 'thanks']);
  expect(fetched).not.toHaveBeenCalled();
});

test('one press removes all sample patients, and none of them answers afterwards', () => {
  sampleQueue.move(id(), 'invite');
  sampleQueue.clear();
  vi.advanceTimersByTime(answerMs);
  expect(read()).toBeNull();
});
