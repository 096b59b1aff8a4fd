import { expect, test } from 'vitest';
import { countsFromLines, countsFromPlaywright, countsFromVitest } from './counts.ts';

test('fromVitest counts a file that did not load as a failure, and keeps the names of skipped tests', () => {
  const file = { name: '/home/x/server/a.test.ts', message: 'no such module' };
  const ran = [
    { fullName: 'invites once', status: 'passed' },
    { fullName: 'rolls over (no haproxy)', status: 'skipped' },
  ];
  const testResults = [
    { ...file, status: 'passed', assertionResults: ran },
    { ...file, status: 'failed', assertionResults: [] },
  ];
  const counts = countsFromVitest(JSON.stringify({ numPassedTests: 1, numFailedTests: 0, testResults }));
  expect(counts).toEqual({
    passed: 1,
    failed: 1,
    skipped: ['rolls over (no haproxy)'],
    failures: ['server/a.test.ts: no such module'],
  });
});

test('fromPlaywright counts a journey that passed only on a retry as failed, and names it', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status, projectName: '' }] });
  const inner = {
    title: 'queue',
    specs: [spec('invites', 'expected'), spec('finishes', 'flaky'), spec('ends', 'unexpected')],
  };
  const report = { suites: [{ title: 'e2e', specs: [spec('prints', 'skipped')], suites: [inner] }], errors: [] };
  expect(countsFromPlaywright(JSON.stringify(report))).toEqual({
    passed: 1,
    failed: 2,
    skipped: ['e2e prints'],
    failures: ['e2e queue ends', 'e2e queue finishes'],
  });
});

test("fromLines takes a drill's last count as the total; without a count there is no result", () => {
  const printed =
    'texts\n2 passed, 0 failed\nskipped: rolling restart (no haproxy)\n1| MISS  reads: 9 ms, aim 5 ms\n5 passed, 1 failed\n';
  expect(countsFromLines(printed)).toEqual({
    passed: 5,
    failed: 1,
    skipped: ['rolling restart (no haproxy)'],
    failures: ['reads: 9 ms, aim 5 ms'],
  });
  expect(countsFromLines('Killed')).toBeUndefined();
});
