import { MerchantRefused, MerchantSignatureInvalid, type Merchant } from './port.ts';

/** No payment provider: in production nobody else may say that a practice can take payments. */
export function noMerchant(): Merchant {
  const refuse = () => Promise.reject(new MerchantRefused('other'));
  return {
    name: 'off',
    createForm: refuse,
    createLink: refuse,
    endLinks: refuse,
    readForm: refuse,
    readCallback: () => {
      throw new MerchantSignatureInvalid();
    },
  };
}
