import type { ReactNode } from 'react';
import css from './sharing.module.css';

/** The few shapes of sharing, from Lucide (ISC licence, https://lucide.dev). Decoration: the word stands beside them. */
function Shape({ size = 20, children }: { size?: number; children: ReactNode }) {
  return (
    <svg className={css.icon} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}
type IconProps = { size?: number };

export const BackIcon = (props: IconProps) => (
  <Shape {...props}>
    <path d="m15 18-6-6 6-6" />
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
export const CopyIcon = (props: IconProps) => (
  <Shape {...props}>
    <rect width="14" height="14" x="8" y="8" rx="2" />
    <path d="M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2" />
  </Shape>
);
export const SendIcon = (props: IconProps) => (
  <Shape {...props}>
    <path d="M12 2v13M16 6l-4-4-4 4M4 12v8a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-8" />
  </Shape>
);
export const LinkIcon = (props: IconProps) => (
  <Shape {...props}>
    <path d="M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71" />
    <path d="M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71" />
  </Shape>
);
export const PaperIcon = (props: IconProps) => (
  <Shape {...props}>
    <path d="M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v6h6M16 13H8M16 17H8" />
  </Shape>
);
export const DownloadIcon = (props: IconProps) => (
  <Shape {...props}>
    <path d="M12 15V3M7 10l5 5 5-5M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4" />
  </Shape>
);
