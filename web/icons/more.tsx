import { Shape, type Icon } from './shape.tsx';

export const MoreIcon: Icon = (props) => (
  <Shape {...props}>
    <circle cx="12" cy="12" r="1" />
    <circle cx="12" cy="5" r="1" />
    <circle cx="12" cy="19" r="1" />
  </Shape>
);
