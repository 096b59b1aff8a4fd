import type { ReactNode } from 'react';
import css from './icons.module.css';

/**
 * The patient's page brings its own few icons: one module with all of the panel's would weigh more than the page. Shapes
 * from Lucide (ISC licence, https://lucide.dev). Decoration: the word stands beside them.
 */
export type Icon = (props: { size?: number }) => ReactNode;

function Shape({ size = 20, children }: { size?: number; children: ReactNode }) {
  return (
    <svg className={css.icon} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

export const ClockIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M12 6v6l4 2" />
    <circle cx="12" cy="12" r="10" />
  </Shape>
);
export const WalkIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M4 16v-2.38C4 11.5 2.97 10.5 3 8c.03-2.72 1.49-6 4.5-6C9.37 2 10 3.8 10 5.5c0 3.11-2 5.66-2 8.68V16a2 2 0 1 1-4 0Z" />
    <path d="M20 20v-2.38c0-2.12 1.03-3.12 1-5.62-.03-2.72-1.49-6-4.5-6C14.63 6 14 7.8 14 9.5c0 3.11 2 5.66 2 8.68V20a2 2 0 1 0 4 0Z" />
    <path d="M16 17h4" />
    <path d="M4 13h4" />
  </Shape>
);
export const CheckIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M20 6 9 17l-5-5" />
  </Shape>
);
export const CheckCircleIcon: Icon = (props) => (
  <Shape {...props}>
    <circle cx="12" cy="12" r="10" />
    <path d="m9 12 2 2 4-4" />
  </Shape>
);
export const CloseCircleIcon: Icon = (props) => (
  <Shape {...props}>
    <circle cx="12" cy="12" r="10" />
    <path d="m15 9-6 6" />
    <path d="m9 9 6 6" />
  </Shape>
);
export const WarningIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3" />
    <path d="M12 9v4" />
    <path d="M12 17h.01" />
  </Shape>
);
export const MoonIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401" />
  </Shape>
);
export const MessageIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z" />
  </Shape>
);
export const PlusIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M5 12h14" />
    <path d="M12 5v14" />
  </Shape>
);
export const CarIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M19 17h2c.6 0 1-.4 1-1v-3c0-.9-.7-1.7-1.5-1.9C18.7 10.6 16 10 16 10s-1.3-1.4-2.2-2.3c-.5-.4-1.1-.7-1.8-.7H5c-.6 0-1.1.4-1.4.9l-1.4 2.9A3.7 3.7 0 0 0 2 12v4c0 .6.4 1 1 1h2" />
    <circle cx="7" cy="17" r="2" />
    <path d="M9 17h6" />
    <circle cx="17" cy="17" r="2" />
  </Shape>
);
export const DoorIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M11 20H2" />
    <path d="M11 4.562v16.157a1 1 0 0 0 1.242.97L19 20V5.562a2 2 0 0 0-1.515-1.94l-4-1A2 2 0 0 0 11 4.561z" />
    <path d="M11 4H8a2 2 0 0 0-2 2v14" />
    <path d="M14 12h.01" />
    <path d="M22 20h-3" />
  </Shape>
);
export const OfflineIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M12 20h.01" />
    <path d="M8.5 16.429a5 5 0 0 1 7 0" />
    <path d="M5 12.859a10 10 0 0 1 5.17-2.69" />
    <path d="M19 12.859a10 10 0 0 0-2.007-1.523" />
    <path d="M2 8.82a15 15 0 0 1 4.177-2.643" />
    <path d="M22 8.82a15 15 0 0 0-11.288-3.764" />
    <path d="m2 2 20 20" />
  </Shape>
);
export const HandIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M18 11V6a2 2 0 0 0-2-2a2 2 0 0 0-2 2" />
    <path d="M14 10V4a2 2 0 0 0-2-2a2 2 0 0 0-2 2v2" />
    <path d="M10 10.5V6a2 2 0 0 0-2-2a2 2 0 0 0-2 2v8" />
    <path d="M18 8a2 2 0 1 1 4 0v6a8 8 0 0 1-8 8h-2c-2.8 0-4.5-.86-5.99-2.34l-3.6-3.6a2 2 0 0 1 2.83-2.82L7 15" />
  </Shape>
);
export const BuildingIcon: Icon = (props) => (
  <Shape {...props}>
    <path d="M10 12h4" />
    <path d="M10 8h4" />
    <path d="M14 21v-3a2 2 0 0 0-4 0v3" />
    <path d="M6 10H4a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2V9a2 2 0 0 0-2-2h-2" />
    <path d="M6 21V5a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v16" />
  </Shape>
);
