import { useLingui } from '@lingui/react/macro';
import { useSavePreference, useSession } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { VolumeOffIcon } from '#web/icons/volume-off.tsx';
import { ringArrival, startSound, useCanRing, useSoundAfterFirstClick } from '#web/kit/sound.ts';

/** Whether this person wants to hear arrivals; undefined until they chose. */
export function useWantsSound(): boolean | undefined {
  return useSession().person?.preferences.sound as boolean | undefined;
}

/** Turns the sound on or off; turning it on rings once as a sample. */
export function useSwitchSound(): (on: boolean) => void {
  const save = useSavePreference();
  return (on) => {
    if (on) startSound();
    if (on) setTimeout(ringArrival, 100);
    void save({ sound: on });
  };
}

/** Warns that arrivals and callbacks make no sound, with a button that turns it on. Hidden when sound works or the person turned it off. */
export function SoundSwitch({ className }: { className?: string | undefined }) {
  const { t } = useLingui();
  const wants = useWantsSound();
  const canRing = useCanRing();
  const change = useSwitchSound();
  useSoundAfterFirstClick(wants === true);
  if (canRing || wants === false) return null;
  return (
    <Button className={className} size="s" variant="subtle" icon={VolumeOffIcon} onClick={() => change(true)}>
      {t`Sound is off, turn on`}
    </Button>
  );
}
