import { join } from 'node:path';
import { projectRoot } from '#server/kit/project-root.ts';

/** A worker's file: from source the file itself, from the bundle the entry that `vite.server.config.ts` makes of it. */
export function workerFile(file: string): string {
  const built = file.split('/').at(-1)?.replace(/\.ts$/, '.js') ?? '';
  return import.meta.filename.endsWith('.ts') ? join(projectRoot, file) : join(projectRoot, 'dist/server', built);
}
