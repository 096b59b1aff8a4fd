import { resumable } from '#server/kit/provider-operations/operations.ts';
import { customerOperation } from './card-customer.ts';

/** The operations of this feature at the card provider, for the job that goes on with abandoned ones. */
export const membershipOperations = [resumable(customerOperation)];
