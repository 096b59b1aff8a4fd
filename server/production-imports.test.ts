import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/kit/project-root.ts';

const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

/** Packages that a program loads at startup; `import type` and `import()` do not count. */
function packagesLoadedBy(entry: string): Map<string, string> {
  const packages = new Map<string, string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    for (const [, clause = '', from = ''] of code.matchAll(
      /^(?:import|export)\s+(?:([^'"]*?)\sfrom\s+)?['"]([^'"]+)['"]/gms,
    )) {
      if (/^type\s/.test(clause)) continue;
      if (from.startsWith('.')) visit(join(dirname(file), from));
      else if (from.startsWith('#')) visit(join(projectRoot, from.slice(1)));
      else if (!from.startsWith('node:') && !builtinModules.includes(from))
        packages.set(
          from
            .split('/')
            .slice(0, from.startsWith('@') ? 2 : 1)
            .join('/'),
          file,
        );
    }
  };
  const start = join(projectRoot, entry);
  expect(existsSync(start)).toBe(true);
  visit(start);
  return packages;
}

test.each(['server/main.ts', 'server/cli.ts'])(
  '%s starts without packages that only the demo or development needs',
  (entry) => {
    const installed = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)]);
    const packages = packagesLoadedBy(entry);
    expect(packages.size).toBeGreaterThan(10);
    expect([...packages].filter(([name]) => !installed.has(name))).toEqual([]);
  },
);

test("the demo's stand-ins are not production dependencies", () => {
  for (const name of ['oidc-provider', 'smtp-server', 'postal-mime']) expect(dependencies).not.toHaveProperty(name);
});
