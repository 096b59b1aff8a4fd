export { haveCustomer } from './card-customer.ts';
export { priceIdsOf, syncMembership } from './read-membership.ts';
