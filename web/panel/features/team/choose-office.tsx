import { useLingui } from '@lingui/react/macro';
import { switchOffice, useSession } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { BuildingIcon } from '#web/icons/building.tsx';
import css from './team.module.css';

/** This tab's office is not the person's any more, or never was: which of theirs shall it be? Goes inside a front page. */
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

/** The person's offices but the one of this tab, to go on with one of them here. Nothing when there is none. */
export function OtherOffices() {
  const { office: shown, offices } = useSession();
  const others = offices.filter(({ id }) => id !== shown?.id);
  if (others.length === 0) return null;
  return (
    <div className={css.offices}>
      {others.map(({ id, npi, officeName }) => (
        <Button key={id} size="l" block icon={BuildingIcon} onClick={() => switchOffice(id)}>
          <bdi>{officeName}</bdi> · NPI {npi}
        </Button>
      ))}
    </div>
  );
}
