import { useMutation } from '@tanstack/react-query';
import {
  askToJoin,
  convertToDoctor,
  registerCustomer,
  registerPractice,
  type Registration,
  type RegistrationInput,
} from '#contract/practice/registration.ts';
import { call } from '#web/kit/call.ts';

export type { Registration };

/** Registers the office. Then, also possible later: creates its customer at the card provider and marks the person as its doctor. */
export function useRegister() {
  return useMutation({
    async mutationFn({ formId, input }: { formId: string; input: RegistrationInput }): Promise<Registration> {
      const registered = await call(registerPractice, { params: { formId }, body: input });
      const { strapiId, addressId, errorList, npi, addressData } = registered;
      const { city, state, addressLine1: address } = addressData;
      const onboardingType = input.isChadisOnboarding ? ('chadis' as const) : ('regular' as const);
      await Promise.allSettled([
        call(registerCustomer, { params: { formId }, body: { formId, strapiId, addressId, errorList } }),
        call(convertToDoctor, {
          body: { address, city, state, name: input.name ?? null, npi, onboardingType },
        }),
      ]);
      return registered;
    },
  });
}

export function useAskToJoin() {
  return useMutation({ mutationFn: (npi: string) => call(askToJoin, { body: { npi } }) });
}
