/** What the form workers do. They see no database, no files and no secrets: only what a task is sent. */
import { carryOut } from '#server/kit/worker-tasks.ts';
import { judge } from './judging.ts';

export const tasks = { judge };

export default carryOut(tasks);
