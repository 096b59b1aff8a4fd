import { useLingui } from '@lingui/react/macro';

/** The texts of the recipients' pages. Their wording and its spelling are the specification's. */
export function useSharedFormsMessages() {
  const { t } = useLingui();
  return {
    title: t`Shared Forms`,
    error: t`It looks like there was a problem loading these forms. Please contact support if this issue persists.`,
    expired: t`It looks like your access to this form has expried. Please ask the patient to share the form again.`,
    again: t`Try again`,
  };
}
