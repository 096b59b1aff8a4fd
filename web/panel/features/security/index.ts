export { useConfirmedIdentity } from './use-confirmed-identity.tsx';
export { useSecurity } from './use-security.ts';
