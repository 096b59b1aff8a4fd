import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { partner } from '#contract/index.ts';
import { runCommand } from '#server/kit/command.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { partnerCommands } from './commands.ts';

const testApp = await openTestApp();
const folder = await mkdtemp(join(tmpdir(), 'anteroom-brand-'));
afterAll(async () => {
  await testApp.close();
  await rm(folder, { recursive: true });
});

async function anteroom(...typed: string[]): Promise<string> {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  await runCommand(partnerCommands, typed, {
    services: testApp.services,
    owner: testApp.owner,
    ownerUrl: testApp.url,
    say,
  });
  return lines.join('\n');
}
const brand = async () =>
  (await testApp.call(partner.readPartner, { params: { partner: 'chadis' } }, { as: null })).body;

test('partner brand sets name, colors and logo one by one, and removes the logo', async () => {
  const logo = join(folder, 'logo.svg');
  await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await anteroom('partner', 'brand', '--name', 'Screens & Co', '--colors', '#4a148c,#311b92');
  await anteroom('partner', 'brand', '--logo', logo);
  expect(await brand()).toMatchObject({ name: 'Screens & Co', colors: ['#4a148c', '#311b92'] });
  expect((await brand()).logo).toMatch(/^data:image\/svg\+xml;base64,/);
  expect(await anteroom('partner', 'brand', '--logo', 'none')).toContain('none: the name in letters');
  expect(await brand()).toMatchObject({ name: 'Screens & Co', logo: null });
});

test.each([
  [['--colors', '#ffffff,#123d61'], 'White words cannot be read on #ffffff'],
  [['--colors', 'blue'], 'Give two colours'],
  [['--logo', 'logo.gif'], 'The logo must be a .png, .svg or .webp file'],
  [['--logo', '/nowhere/logo.png'], 'cannot be read'],
  [['--name', ''], '1 to 60 letters'],
])('partner brand %j is refused with an explanation and changes nothing', async (options, reason) => {
  const before = await brand();
  await expect(anteroom('partner', 'brand', ...options)).rejects.toThrow(reason);
  expect(await brand()).toEqual(before);
});
