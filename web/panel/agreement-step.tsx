import { Trans } from '@lingui/react/macro';
import { useSession } from '#web/kit/session.ts';

/** The second step: the agreement of the office this tab shows. */
export function AgreementStep() {
  const { office } = useSession();
  const name = <strong>{office?.officeName}</strong>;
  return (
    <p>
      <Trans>The HIPAA agreement of {name} is not signed yet.</Trans>
    </p>
  );
}
