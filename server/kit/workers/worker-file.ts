import { join } from 'node:path';
import { projectRoot } from '#server/kit/project-root.ts';

/** The path of a worker's file: the source file itself, or its entry in the bundle (`vite.server.config.ts`). */
export function workerFile(file: string): string {
  const built = file.split('/').at(-1)?.replace(/\.ts$/, '.js') ?? '';
  return import.meta.filename.endsWith('.ts') ? join(projectRoot, file) : join(projectRoot, 'dist/server', built);
}

/** What a worker gets of the server's environment: none of its secrets. */
export function workerEnvironment(): NodeJS.ProcessEnv {
  const { TZ, NODE_COMPILE_CACHE } = process.env;
  return { ...(TZ !== undefined && { TZ }), ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}
