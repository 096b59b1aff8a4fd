/** The result of a stage of script/test. */
export interface TestCounts {
  passed: number;
  failed: number;
  /** Names of what did not run, with the reason if known. */
  skipped: string[];
  /** Names of what failed, where the report has them. */
  failures?: string[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** Reads Vitest's JSON report; a file that did not load counts as one failure. */
export function countsFromVitest(text: string): TestCounts {
  const report = JSON.parse(text) as VitestReport;
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: tests.filter((test) => !['passed', 'failed'].includes(test.status)).map((test) => test.fullName),
    failures: report.testResults.flatMap((file) =>
      broken.includes(file)
        ? [`${fileName(file.name)}: ${file.message}`]
        : file.assertionResults
            .filter((test) => test.status === 'failed')
            .map((test) => `${fileName(file.name)}: ${test.fullName}`),
    ),
  };
}

const fileName = (path: string) => path.split('/').slice(-2).join('/');

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { status: 'expected' | 'unexpected' | 'flaky' | 'skipped'; projectName: string }[] }[];
}

interface PlaywrightReport {
  suites: PlaywrightSuite[];
  errors: unknown[];
}

/** Reads Playwright's JSON report; a test that passed only on a retry counts as failed. */
export function countsFromPlaywright(text: string): TestCounts {
  const report = JSON.parse(text) as PlaywrightReport;
  const tests = report.suites.flatMap((suite) => testsOf(suite, ''));
  const named = (status: string) => tests.filter((test) => test.status === status).map((test) => test.name);
  const failures = [...named('unexpected'), ...named('flaky')];
  return {
    passed: named('expected').length,
    failed: failures.length + report.errors.length,
    skipped: named('skipped'),
    failures,
  };
}

function testsOf(suite: PlaywrightSuite, above: string): { name: string; status: string }[] {
  const here = `${above}${suite.title} `;
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map(({ status, projectName }) => ({
      name: `${here}${spec.title}${projectName && ` [${projectName}]`}`,
      status,
    })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, here))];
}

/** Adds up the parts of a stage. */
export function addCounts(parts: TestCounts[]): TestCounts {
  return {
    passed: parts.reduce((sum, { passed }) => sum + passed, 0),
    failed: parts.reduce((sum, { failed }) => sum + failed, 0),
    skipped: parts.flatMap(({ skipped }) => skipped),
    failures: parts.flatMap(({ failures = [] }) => failures),
  };
}

/** Reads lines like `3 passed, 0 failed`, `skipped: rolling restart (no haproxy)` and `MISS reads: 9 ms`; undefined without a count. */
export function countsFromLines(text: string): TestCounts | undefined {
  const count = [...text.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1);
  if (!count) return undefined;
  const skipped = [...text.matchAll(/^skipped: (.+)$/gm)].map(([, name = '']) => name);
  const failures = [...text.matchAll(/^(?:\d\| )?MISS +(.+)$/gm)].map(([, name = '']) => name);
  return { passed: Number(count[1]), failed: Number(count[2]), skipped, failures };
}
