/** What may follow the last page: the choice between two versions of a form, or its confirmation. */
export { Conflict } from './conflict.tsx';
export { Done } from './done.tsx';
