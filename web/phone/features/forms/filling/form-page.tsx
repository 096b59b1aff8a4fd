import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { formAddress, type FormRoute, type NavigateToForm } from '#web/phone/features/forms/form-address.ts';
import { useVisitForms } from '#web/phone/features/forms/use-visit-forms.ts';
import { later } from '#web/phone/ui/later.tsx';
import type { FormEnvironment } from '#web/questionnaire/form-context.ts';
import { FormPages } from './form-pages.tsx';
import { pictureAddress } from './picture-address.ts';
import { loadEnding } from './use-ending.ts';
import { visitFormCalls } from './visit-form-calls.ts';

interface FormPageProps {
  token: string;
  route: FormRoute;
  /** The office's day. */
  today: string;
  /** The office's. */
  timeZone: string;
  officeName: string;
  go: NavigateToForm;
}

/** What the server tells, so there is a network to load it with. */
const FormGone = later(async () => (await loadEnding()).FormGone);

/** `/visit/{token}/forms/{member}/{form}/{page}`: a form page by page, its review, and the confirmation once it is filed. */
export function FormPage({ token, route, today, timeZone, officeName, go }: FormPageProps) {
  const { t } = useLingui();
  const { memberId, formType } = route;
  const members = useVisitForms(token)?.members ?? [];
  /** Shown only where the form could be somebody else's. */
  const memberName = members.length > 1 ? members.find((member) => member.memberId === memberId)?.name : undefined;
  const pictures = useMemo(
    (): Pick<FormEnvironment, 'storePicture' | 'pictureUrl'> => ({
      storePicture: async (...picture) =>
        (await import('#web/phone/features/forms/upload/upload.ts')).upload(token, ...picture),
      pictureUrl: (picture) => pictureAddress(token, picture),
    }),
    [token],
  );
  return (
    <FormPages
      address={formAddress(token, route)}
      step={route.step}
      home={`/visit/${token}`}
      callsOf={() => visitFormCalls({ token, memberId, formType })}
      today={today}
      timeZone={timeZone}
      titleOf={(formName) => `${formName ?? t`Forms`} · ${officeName}`}
      whose={memberName}
      pictures={pictures}
      go={go}
      gone={<FormGone />}
      done={({ filling, session, ending }) => (
        <ending.Done token={token} route={route} filling={filling} session={session} go={go} />
      )}
    />
  );
}
