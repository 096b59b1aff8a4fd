import { Shape, type Icon } from './shape.tsx';

export const PanelIcon: Icon = (props) => (
  <Shape {...props}>
    <rect width="18" height="18" x="3" y="3" rx="2" />
    <path d="M9 3v18" />
  </Shape>
);
