export { readAddress } from './search.ts';
export { loadSample } from './sample.ts';
export type { AddressRow } from './rows.ts';
export { listedPhone } from './sql.ts';
