import { useLingui } from '@lingui/react/macro';
import { markedNpi } from '#contract/practice/provisional-npi.ts';
import { switchOffice, useSession } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { BuildingIcon } from '#web/icons/building.tsx';
import css from './team.module.css';

/** Asks which office to open when the person does not belong to this tab's office. Rendered inside a front page. */
export function ChooseOffice() {
  const { t } = useLingui();
  useTitle(t`Choose your practice`);
  return (
    <>
      <h1>{t`Choose your practice`}</h1>
      <p>{t`You no longer have access to the practice this tab was showing.`}</p>
      <OtherOffices />
    </>
  );
}

/** Links to the person's other offices. Renders nothing if there are none. */
function OtherOffices() {
  const { t } = useLingui();
  const { office: shown, offices } = useSession();
  const others = offices.filter(({ id }) => id !== shown?.id);
  if (others.length === 0) return null;
  return (
    <div className={css.offices}>
      {others.map(({ id, npi, officeName }) => (
        <Button key={id} size="l" block icon={BuildingIcon} onClick={() => switchOffice(id)}>
          <bdi>{officeName}</bdi> · NPI {markedNpi(npi, t`provisional`)}
        </Button>
      ))}
    </div>
  );
}
