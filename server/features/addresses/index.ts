export { readAddress } from './search.ts';
export { loadSample } from './sample-addresses.ts';
export type { AddressRow } from './address-row.ts';
export { listedPhone } from './sql.ts';
