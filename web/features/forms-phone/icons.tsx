import type { ReactNode } from 'react';

/** The few shapes of the forms, from Lucide (ISC licence, https://lucide.dev). Decoration: the word stands beside them. */
function Shape({ size = 20, children }: { size?: number; children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: 'none' }}
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}
type IconProps = { size?: number };

export const CameraIcon = (props: IconProps) => (
  <Shape {...props}>
    <path d="M14.5 4h-5L7 7H4a2 2 0 0 0-2 2v9a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2V9a2 2 0 0 0-2-2h-3z" />
    <circle cx="12" cy="13" r="3" />
  </Shape>
);
export const CheckIcon = (props: IconProps) => (
  <Shape {...props}>
    <path d="M20 6 9 17l-5-5" />
  </Shape>
);
export const WarningIcon = (props: IconProps) => (
  <Shape {...props}>
    <circle cx="12" cy="12" r="10" />
    <path d="M12 8v4M12 16h.01" />
  </Shape>
);
export const PlusIcon = (props: IconProps) => (
  <Shape {...props}>
    <path d="M5 12h14M12 5v14" />
  </Shape>
);
export const BackIcon = (props: IconProps) => (
  <Shape {...props}>
    <path d="m15 18-6-6 6-6" />
  </Shape>
);
export const OnIcon = (props: IconProps) => (
  <Shape {...props}>
    <path d="m9 18 6-6-6-6" />
  </Shape>
);
export const PaperIcon = (props: IconProps) => (
  <Shape {...props}>
    <path d="M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v6h6M16 13H8M16 17H8" />
  </Shape>
);
