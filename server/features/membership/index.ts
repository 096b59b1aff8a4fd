export { haveCustomer } from './card-customer.ts';
export { syncMembership } from './read-membership.ts';
