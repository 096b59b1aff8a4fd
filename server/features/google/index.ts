export { googleEmailOf } from './sql.ts';
