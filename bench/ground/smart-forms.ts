import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { build } from 'vite';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';

export const smartFormsVersion = '1.4.0';
const folder = join(tmpdir(), `anteroom-smart-forms-${smartFormsVersion}`);

/**
 * The peer of large forms: a page that shows a questionnaire with the renderer of Smart Forms (Apache-2.0), as its documentation says. It is
 * fetched for the benchmark only (decision 0131). Undefined without a package registry.
 */
export async function openSmartForms(questionnaire: Questionnaire) {
  if (!existsSync(join(folder, 'dist/index.html')) && !(await buildSmartForms(folder, page, script))) return undefined;
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
  const form = JSON.stringify(questionnaire);
  const server = createServer((request, reply) => {
    const path = normalize(new URL(request.url ?? '/', 'http://peer').pathname);
    const answer = async () => {
      if (path === '/form.json') return reply.setHeader('content-type', 'application/json').end(form);
      const file = path === '/' ? '/index.html' : path;
      reply.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
      return reply.end(await readFile(join(folder, 'dist', file)));
    };
    answer().catch(() => reply.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${port}/`, close };
}

/** Builds a page with Smart Forms in a folder, as `dist`, from its HTML and the script `/main.js`. False without a package registry. */
export async function buildSmartForms(into: string, html: string, main: string): Promise<boolean> {
  await mkdir(into, { recursive: true });
  const dependencies = {
    '@aehrc/smart-forms-renderer': smartFormsVersion,
    '@tanstack/react-query': '5.108.0',
    react: '19.3.1',
    'react-dom': '19.3.1',
  };
  await writeFile(join(into, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (spawnSync('npm', npm, { cwd: into, stdio: 'ignore' }).status !== 0) return false;
  await writeFile(join(into, 'index.html'), html);
  await writeFile(join(into, 'main.js'), main);
  await build({
    root: into,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { chunkSizeWarningLimit: 10_000 },
  });
  return true;
}

const page = `<!doctype html><meta name="viewport" content="width=device-width"><div id="root"></div>
<script type="module" src="/main.js"></script>`;

const script = `
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { BaseRenderer, RendererThemeProvider, useBuildForm, useRendererQueryClient } from '@aehrc/smart-forms-renderer';

function Form({ questionnaire }) {
  const client = useRendererQueryClient();
  const isBuilding = useBuildForm({ questionnaire });
  if (isBuilding) return 'Loading';
  return h(RendererThemeProvider, null, h(QueryClientProvider, { client }, h(BaseRenderer)));
}
const questionnaire = await (await fetch('/form.json')).json();
createRoot(document.getElementById('root')).render(h(Form, { questionnaire }));
`;
