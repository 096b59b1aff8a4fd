export { haveCustomer } from './card-customer.ts';
