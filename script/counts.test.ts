import { expect, test } from 'vitest';
import { fromLines, fromPlaywright, fromVitest } from './counts.ts';

test('a file that did not load counts as a failure, and skipped tests keep their names', () => {
  const file = { name: 'a.test.ts', message: '' };
  const ran = [
    { fullName: 'invites once', status: 'passed' },
    { fullName: 'rolls over (no haproxy)', status: 'skipped' },
  ];
  const testResults = [
    { ...file, status: 'passed', assertionResults: ran },
    { ...file, status: 'failed', assertionResults: [] },
  ];
  const counts = fromVitest(JSON.stringify({ numPassedTests: 1, numFailedTests: 0, testResults }));
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: ['rolls over (no haproxy)'] });
});

test('a journey that worked only at the second try has failed', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status, projectName: '' }] });
  const inner = { title: 'queue', specs: [spec('invites', 'expected'), spec('finishes', 'flaky')] };
  const report = { suites: [{ title: 'e2e', specs: [spec('prints', 'skipped')], suites: [inner] }], errors: [] };
  expect(fromPlaywright(JSON.stringify(report))).toEqual({ passed: 1, failed: 1, skipped: ['e2e prints'] });
});

test('of what a drill prints the last count is the total; no count is no result', () => {
  const printed = 'texts\n2 passed, 0 failed\nskipped: rolling restart (no haproxy)\n5 passed, 1 failed\n';
  expect(fromLines(printed)).toEqual({ passed: 5, failed: 1, skipped: ['rolling restart (no haproxy)'] });
  expect(fromLines('Killed')).toBeUndefined();
});
