import { Shape, type Icon } from './shape.tsx';

export const CardIcon: Icon = (props) => (
  <Shape {...props}>
    <rect width="20" height="14" x="2" y="5" rx="2" />
    <line x1="2" x2="22" y1="10" y2="10" />
  </Shape>
);
