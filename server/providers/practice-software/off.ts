import { RecordingRefused, type PracticeSoftware } from './port.ts';

/** No practice software: in production a stand-in must not say that a payment is in the practice's books. */
export function noPracticeSoftware(): PracticeSoftware {
  const refuse = () => Promise.reject(new RecordingRefused('no practice software'));
  return { name: 'off', cardMethods: refuse, record: refuse };
}
