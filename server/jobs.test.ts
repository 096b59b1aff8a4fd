import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/kit/project-root.ts';

test('every job of a feature is started with the server', () => {
  const started = readFileSync(join(projectRoot, 'server/jobs.ts'), 'utf8');
  const files = globSync('server/features/**/*.ts', { cwd: projectRoot }).filter((file) => !file.endsWith('.test.ts'));
  const starters = files.flatMap((file) => {
    const code = readFileSync(join(projectRoot, file), 'utf8');
    return code.includes('runJob(')
      ? [...code.matchAll(/^export function (start\w+)\(/gm)].map(([, name]) => name)
      : [];
  });
  const withJobs = files.filter((file) => readFileSync(join(projectRoot, file), 'utf8').includes('runJob('));
  expect(starters.length).toBeGreaterThanOrEqual(withJobs.length);
  expect(starters.filter((name) => !started.includes(`${name}(services)`))).toEqual([]);
});
