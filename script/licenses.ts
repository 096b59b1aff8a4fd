/**
 * The licenses of every dependency. NOTICE (by script/generate) lists what we distribute: production dependencies, and what is bundled into
 * the web pages.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const acceptable = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Zlib',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
]);

/** Additional licenses for development tools, which are used unchanged and not distributed. */
const acceptableForTools = new Set(['MPL-2.0', 'CC-BY-4.0']);

/** Packages with another license, or without one in their package.json, and why they may be used. */
const exceptions: Record<string, string> = {
  'web-push': 'MPL-2.0: used unchanged; its files stay under their license',
  'dejavu-fonts-ttf': 'Bitstream Vera license and public domain: free to embed and redistribute',
  'png-js': 'MIT by its LICENSE file; its package.json does not say so',
  fhirpath: 'own license of the National Library of Medicine: free use and redistribution with its notice',
  '@lhncbc/ucum-lhc': 'own license of the National Library of Medicine: free use and redistribution with its notice',
};
/** sharp’s own libraries come as separate, replaceable shared objects. */
const libvips = /^@img\/sharp-/;

interface LicensedPackage {
  name: string;
  version: string;
  license: string;
  copyright: string | null;
}

/**
 * The distributed packages, by name and version. `problems` names every dependency, including tools, with a license nobody has accepted.
 */
export function licenses(): { packages: LicensedPackage[]; problems: string[] } {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const handedOut = new Set(Object.keys(packages).filter((path) => path !== '' && !packages[path]?.dev));
  const follow = (path: string) => {
    if (handedOut.has(path)) return;
    handedOut.add(path);
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) follow(resolve(packages, path, name));
  };
  for (const name of bundledIntoPages()) if (packages[`node_modules/${name}`]) follow(`node_modules/${name}`);

  const found = new Map<string, LicensedPackage>();
  const problems: string[] = [];
  for (const [path, locked] of Object.entries(packages)) {
    if (path === '' || !locked.version) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const license = licenseOf(path, locked);
    const isTool = !handedOut.has(path);
    if (!isAccepted(name, license, isTool))
      problems.push(
        `${name} ${locked.version} has the license "${license}": accept it in script/licenses.ts with a reason, or remove it`,
      );
    if (isTool) continue;
    const copyright = copyrightOf(path, locked);
    found.set(`${name} ${locked.version}`, { name, version: locked.version, license, copyright });
  }
  const sorted = [...found.values()].sort((a, b) => compare(`${a.name} ${a.version}`, `${b.name} ${b.version}`));
  return { packages: sorted, problems };
}

/** The text of NOTICE. */
export function notice(): string {
  const { packages } = licenses();
  const lines = packages.map(({ name, version, license, copyright }) =>
    [
      `${name} ${version}: ${license}`,
      ...(exceptions[name] ? [`  ${exceptions[name]}`] : []),
      ...(copyright ? [`  ${copyright}`] : []),
    ].join('\n'),
  );
  return `This product contains the following software and fonts: the production dependencies, and what is bundled into the web pages.
The full text of each license is in the package. Written by script/generate from package-lock.json.

${lines.join('\n')}
`;
}

/** Packages that the browser's code imports. */
function bundledIntoPages(): Set<string> {
  const names = new Set<string>();
  for (const file of globSync('{web,contract,questionnaire}/**/*.{ts,tsx,css}')) {
    if (/\.test\.tsx?$/.test(file)) continue;
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import|import\()\s*['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)/g,
    ))
      names.add(name);
  }
  return names;
}

/** Resolves like Node: the nearest node_modules above the importer. */
function resolve(packages: Record<string, LockedPackage>, from: string, name: string): string {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[path] || at === '') return path;
    if (!at.includes('/node_modules/')) return `node_modules/${name}`;
  }
}

/** The license from the lockfile; in an old spelling that npm omits, from the package itself. */
function licenseOf(path: string, { license }: LockedPackage): string {
  if (license !== undefined) return license;
  const file = join(path, 'package.json');
  if (!existsSync(file)) return 'none';
  const { licenses = [] } = JSON.parse(readFileSync(file, 'utf8')) as { licenses?: { type?: string }[] };
  return licenses.map(({ type }) => type ?? 'none').join(' OR ') || 'none';
}

/** A package for another platform is not installed: then only the lockfile counts, so that NOTICE is the same everywhere. */
function copyrightOf(path: string, locked: LockedPackage): string | null {
  if (locked.os || locked.cpu || !existsSync(path)) return null;
  const file = readdirSync(path)
    .sort()
    .find((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  if (!file) return null;
  const line = readFileSync(join(path, file), 'utf8')
    .split('\n')
    .map((text) => text.trim())
    .find((text) => /^(copyright|\(c\)|©)/i.test(text) && /\d{4}|©|\(c\)/i.test(text) && !text.includes('[yyyy]'));
  return line?.slice(0, 160) ?? null;
}

/** Whether a package of this name may have this license. `isTool`: installed for development only. */
export function isAccepted(name: string, license: string, isTool: boolean): boolean {
  return name in exceptions || libvips.test(name) || isAcceptable(license, isTool);
}

function isAcceptable(license: string, isTool: boolean): boolean {
  const bare = license.replaceAll(/[()]/g, '');
  if (bare.includes(' OR ')) return bare.split(' OR ').some((one) => isAcceptable(one.trim(), isTool));
  return bare
    .split(' AND ')
    .map((one) => one.trim())
    .every((one) => acceptable.has(one) || (isTool && acceptableForTools.has(one)));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
