import { Shape, type Icon } from './shape.tsx';

export const ImageIcon: Icon = (props) => (
  <Shape {...props}>
    <rect x="3" y="4" width="18" height="16" rx="2" />
    <circle cx="9" cy="10" r="1.8" />
    <path d="m21 16-5-5-9 9" />
  </Shape>
);
