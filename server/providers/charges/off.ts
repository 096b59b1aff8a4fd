import { ChargeRefused, ChargesSignatureInvalid, type Charges } from './port.ts';

/** No provider for patients' payments: in production a stand-in must not say that money moved. */
export function noCharges(): Charges {
  const refuse = () => Promise.reject(new ChargeRefused('no payment provider'));
  return {
    name: 'off',
    openCardForm: refuse,
    charge: refuse,
    reverse: refuse,
    find: () => Promise.resolve(null),
    read: () => Promise.resolve(null),
    readCallback: () => {
      throw new ChargesSignatureInvalid();
    },
    dashboardUrl: () => null,
  };
}
