import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { panelPaths } from '#contract/panel-paths.ts';
import { pageRoutes } from './pages.ts';
import { browserRules } from '#server/kit/http/browser-rules.ts';
import { answerErrors } from '#server/kit/http/problem.ts';

const root = await mkdtemp(join(tmpdir(), 'anteroom-pages-'));
await mkdir(join(root, 'assets'));
for (const name of ['panel', 'patient']) await writeFile(join(root, `${name}.html`), `${name} <!--boot--> page`);
await writeFile(join(root, 'sw.js'), '');
await writeFile(join(root, 'panel.html'), 'panel <!--boot--><script>let early = 1;</script> page');
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
browserRules(app);
answerErrors(app);
pageRoutes(app, { panel: async () => ({}), patient: async () => ({}) }, root);
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const open = (url: string, headers: Record<string, string> = browser) => app.inject({ url, headers });

describe('the panel', () => {
  test.each(panelPaths.map((path) => path.replace('$token', 'AAAA')))(
    "%s is the panel's page, also with a query",
    async (path) => {
      for (const url of [path, `${path}?office=1`]) {
        const { statusCode, body } = await open(url);
        expect([statusCode, body]).toEqual([200, expect.stringContaining('panel')]);
      }
    },
  );

  test('its script in the page runs by its hash, and no other page allows one', async () => {
    const hash = createHash('sha256').update('let early = 1;').digest('base64');
    const policyOf = async (url: string) => (await open(url)).headers['content-security-policy'];
    expect(await policyOf('/dashboard')).toContain(`script-src 'self' 'sha256-${hash}'; style-src 'self';`);
    expect(await policyOf('/c/1234567893')).toContain("script-src 'self'; style-src 'self';");
    expect(await policyOf('/assets/nothing.js')).toContain("script-src 'self'; style-src 'self';");
  });

  test.each([
    '/.git/HEAD',
    '/.env',
    '/document~',
    '/wp-login.php',
    '/dashboard.bak',
    '/dashboard/no-such-room',
    '/dashboard/settings/nothing',
    '/join/AAAA/more',
    '/settings',
  ])("%s is 404: browsers get the panel's page with it, programs do not", async (path) => {
    const page = await open(path);
    expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining('panel')]);
    const program = await open(path, { accept: '*/*' });
    expect([program.statusCode, program.json().code]).toEqual([404, 'not_found']);
    expect((await open(path, {})).statusCode).toBe(404);
  });

  test.each(['/api/nothing', '/assets/nothing.js', '/dev/nothing', '/api/live'])(
    '%s is a 404 without any page',
    async (path) => {
      const { statusCode, body } = await open(path);
      expect([statusCode, body]).toEqual([404, expect.not.stringContaining('panel')]);
    },
  );
});

test.each(['/c/2100000001', '/visit/AAAA', '/forms/shared'])('%s is the patient’s page, with noindex', async (path) => {
  const { statusCode, body, headers } = await open(path);
  expect([statusCode, body]).toEqual([200, expect.stringContaining('patient')]);
  expect(headers['x-robots-tag']).toBe('noindex, nofollow, noarchive');
});
