import type { ReactNode } from 'react';
import type { PatientAction } from '#contract/patient/visit.ts';

export interface TapProps {
  /** Taps that the server has not answered yet. */
  taps: PatientAction[];
  onTap: (action: PatientAction) => void;
}

interface TapButtonProps extends TapProps {
  action: PatientAction;
  className: string | undefined;
  children: ReactNode;
}

/** Sends a tap; busy until the server has answered. */
export function TapButton({ action, taps, onTap, className, children }: TapButtonProps) {
  return (
    <button
      type="button"
      className={className}
      aria-busy={taps.includes(action) || undefined}
      onClick={() => onTap(action)}
    >
      {children}
    </button>
  );
}
